import { useState } from 'react';
import type { Mode } from '../../../../contract/desk.ts';
import type { AttachedWallets, WalletList, WalletPreview } from '../../../../contract/wallets.ts';
import { Card } from '../../../ui/card.tsx';
import { ChooseCoins, type ChosenCoins } from './choose-coins.tsx';
import { CompareAddresses } from './compare-addresses.tsx';
import { PasteKey } from './paste-key.tsx';
import { Stepper } from './stepper.tsx';
import { WalletAdded } from './wallet-added.tsx';

interface AddWalletProps {
  readonly list: WalletList;
  /** A coin to begin with, and whose payments its wallet takes; null lets people choose. */
  readonly begin: { readonly crypto: string; readonly mode: Mode } | null;
  /** Leaves without anything done. */
  cancel(): void;
  /** Begins once more. */
  restart(): void;
}

/** From nothing to a wallet that is paid into. Nothing of it is in the address: what was pasted must not be. */
export function AddWallet({ list, begin, cancel, restart }: AddWalletProps) {
  const [coins, setCoins] = useState<ChosenCoins | null>(() => coinsFor(list, begin));
  const [step, setStep] = useState<Step>(coins === null ? 'coins' : 'key');
  const [key, setKey] = useState('');
  const [preview, setPreview] = useState<WalletPreview | null>(null);
  const [attached, setAttached] = useState<AttachedWallets | null>(null);
  return (
    <Card className="card-narrow add-wallet">
      <Stepper label="Steps to a wallet" steps={Object.values(STEPS)} current={Object.keys(STEPS).indexOf(step)} />
      {step !== 'coins' ? null : (
        <ChooseCoins
          chains={list.chains}
          chosen={coins}
          choose={(chosen) => {
            setCoins(chosen);
            setStep('key');
          }}
          cancel={cancel}
        />
      )}
      {step !== 'key' || coins === null ? null : (
        <PasteKey
          coins={coins}
          pasted={key}
          go={(pasted, answer) => {
            setKey(pasted);
            setPreview(answer);
            setStep('compare');
          }}
          back={() => setStep('coins')}
        />
      )}
      {step !== 'compare' || coins === null || preview === null ? null : (
        <CompareAddresses
          coins={coins}
          extendedPublicKey={key}
          preview={preview}
          done={(answer) => {
            setKey('');
            setPreview(null);
            setAttached(answer);
            setStep('done');
          }}
          back={() => setStep('key')}
        />
      )}
      {step !== 'done' || coins === null || attached === null ? null : (
        <WalletAdded coins={coins} attached={attached} restart={restart} close={cancel} />
      )}
    </Card>
  );
}

// Helpers

const STEPS = { coins: 'Coins', key: 'Key', compare: 'Compare', done: 'Done' } as const;
type Step = keyof typeof STEPS;

function coinsFor({ chains, wallets }: WalletList, begin: AddWalletProps['begin']): ChosenCoins | null {
  if (begin === null) return null;
  const { crypto, mode } = begin;
  const chain = chains.find((one) => one.mode === mode && one.coins.some(({ symbol }) => symbol === crypto));
  if (chain === undefined) return null;
  // Replacing the wallet of a coin means that of all coins which share it.
  const together = wallets.find((one) => one.mode === mode && one.cryptos.includes(crypto))?.cryptos;
  return { chain, cryptos: together ?? [crypto] };
}
