import { useState } from 'react';
import type { Mode } from '../../../../http/console/merchant/schemas.ts';
import type { AttachedWallets, WalletList, WalletPreview } from '../../../../http/console/merchant/wallets/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ChooseCoins, type ChosenCoins } from './choose-coins.tsx';
import { CompareAddresses } from './compare-addresses.tsx';
import { PasteKey } from './paste-key.tsx';
import { StepHeading, Stepper } from './stepper.tsx';

interface AddWalletProps {
  readonly list: WalletList;
  /** The preselected coin and mode; null for none. */
  readonly begin: { readonly crypto: string; readonly mode: Mode } | null;
  cancel(): void;
  /** Starts over. */
  restart(): void;
}

/**
 * The steps to a new wallet. None of their state is in the URL, which must not contain the pasted
 * key.
 */
export function AddWallet({ list, begin, cancel, restart }: AddWalletProps) {
  const [coins, setCoins] = useState<ChosenCoins | null>(() => coinsFor(list, begin));
  const [step, setStep] = useState<Step>(coins === null ? 'coins' : 'key');
  const [key, setKey] = useState('');
  const [preview, setPreview] = useState<WalletPreview | null>(null);
  const [attached, setAttached] = useState<AttachedWallets | null>(null);
  return (
    <Card className="card-narrow add-wallet">
      <Stepper label="Wallet setup steps" steps={Object.values(STEPS)} current={Object.keys(STEPS).indexOf(step)} />
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
          go={(pasted, response) => {
            setKey(pasted);
            setPreview(response);
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
          done={(response) => {
            setKey('');
            setPreview(null);
            setAttached(response);
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
  // Replacing the wallet of a coin replaces it for all coins that share it.
  const together = wallets.find((one) => one.mode === mode && one.cryptos.includes(crypto))?.cryptos;
  return { chain, cryptos: together ?? [crypto] };
}

interface WalletAddedProps {
  readonly coins: ChosenCoins;
  readonly attached: AttachedWallets;
  restart(): void;
  close(): void;
}

/** The last step: what happens now, and what comes next. */
function WalletAdded({ coins, attached, restart, close }: WalletAddedProps) {
  const chosen = coins.chain.coins.filter(({ symbol }) => coins.cryptos.includes(symbol));
  const problem = chosen.find((coin) => coin.problem !== null)?.problem ?? null;
  const isNew = attached.attached.length + attached.replaced.length > 0;
  return (
    <div className="form">
      <StepHeading>
        {isNew
          ? `Your ${coins.chain.name} ${coins.chain.mode === 'test' ? 'test wallet' : 'wallet'} is set up`
          : 'This wallet is already set up'}
      </StepHeading>
      <p>
        {isNew
          ? coins.chain.isConnected
            ? `${PAYMENTS[coins.chain.mode]} in ${coins.cryptos.join(', ')} go to it from now on, each to its own address. The coins arrive directly in your wallet; no third party holds them.`
            : `Your wallet is saved. ${coins.chain.name} payments start once the operator connects the network.`
          : 'Nothing has changed. Payments continue as before.'}
      </p>
      {problem === null || !coins.chain.isConnected ? null : (
        <div className="notice">
          <p>{problem} The wallet is used as soon as that changes.</p>
        </div>
      )}
      <p>
        A wallet scans only a limited number of unused addresses ahead. If many customers start a payment and do not
        pay, raise the gap limit in your wallet; this page shows when that is needed.
      </p>
      <div className="button-row">
        <Link className="button button-main" href={hrefOf('overview', {}, {}, 'live')}>
          Next: back to the first steps
        </Link>
        <Button onClick={restart}>Add another wallet</Button>
        <Button onClick={close}>View your wallets</Button>
      </div>
    </div>
  );
}

const PAYMENTS: Readonly<Record<Mode, string>> = { live: 'Live payments', test: 'Test payments' };
