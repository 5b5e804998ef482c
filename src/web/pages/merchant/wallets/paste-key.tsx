import '../../../styles/wallets.css';
import { useState } from 'react';
import type { Mode } from '../../../../http/console/merchant/schemas.ts';
import type { WalletPreview } from '../../../../http/console/merchant/wallets/schemas.ts';
import { privateKeyRejection } from '../../../../wallets/keys/private-material.ts';
import { RequestFailure } from '../../../api/request.ts';
import { usePreviewWallet } from '../../../api/wallets.ts';
import { AreaField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { WarnIcon } from '../../../ui/icons.tsx';
import { errorText } from '../../../ui/problem.tsx';
import type { ChosenCoins } from './choose-coins.tsx';
import { HELP_FOR_COINS, HELP_FOR_ETHEREUM } from './labels.ts';
import { StepHeading } from './stepper.tsx';

interface PasteKeyProps {
  readonly coins: ChosenCoins;
  readonly pasted: string;
  go(key: string, preview: WalletPreview): void;
  back(): void;
}

/**
 * The second step. The pasted key exists only in the page's memory, and a private key is discarded
 * immediately, before any request; the server checks again.
 */
export function PasteKey({ coins, pasted, go, back }: PasteKeyProps) {
  const [key, setKey] = useState(pasted);
  const preview = usePreviewWallet();
  const [rejectedHere, setRejectedHere] = useState<string | null>(null);
  const isRejectedByServer = preview.error instanceof RequestFailure && preview.error.code === 'PRIVATE_KEY_REFUSED';
  const isPrivate = rejectedHere !== null || isRejectedByServer;
  // The warning is about a discarded key, not about the one that the user has entered since.
  const isReplaced = key.trim() !== '';
  const submit = () => {
    const rejection = privateKeyRejection(key);
    setRejectedHere(rejection);
    if (rejection !== null) {
      preview.reset();
      setKey('');
      return;
    }
    preview.mutate(
      { mode: coins.chain.mode, crypto: coins.cryptos[0] ?? '', extendedPublicKey: key },
      { onSuccess: (response) => go(key, response), onError: (error) => forgetPrivate(error, setKey) },
    );
  };
  const help = coins.chain.chain === 'ethereum' ? HELP_FOR_ETHEREUM : HELP_FOR_COINS;
  return (
    <Form
      work={preview}
      action="Show addresses"
      isDisabled={key.trim() === ''}
      cancel="Back"
      problem={null}
      submit={submit}
      close={back}
    >
      <StepHeading>Paste the extended public key of your {coins.chain.name} wallet</StepHeading>
      <p>
        Every payment gets its own address derived from it, and the coins go straight to your wallet. A public key can
        receive and view coins, never spend them. Never paste a recovery phrase or a private key, here or anywhere.
      </p>
      {coins.chain.mode === 'test' ? <TestWalletNotice /> : null}
      {rejectedHere === null || isReplaced ? null : <ExposedKey message={`${rejectedHere} It was not sent.`} />}
      {isRejectedByServer && !isReplaced ? <ExposedKey message={errorText(preview.error)} /> : null}
      <AreaField
        label="Extended public key"
        hint={HINTS[coins.chain.mode]}
        name="extended-public-key"
        className="input mono"
        autoComplete="off"
        autoCorrect="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={key}
        error={isPrivate ? null : errorText(preview.error)}
        onChange={(event) => setKey(event.target.value)}
      />
      <details className="help">
        <summary>Where do I find it?</summary>
        <dl>
          {help.map(({ wallet, steps }) => (
            <div key={wallet}>
              <dt>{wallet}</dt>
              <dd>{steps}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Form>
  );
}

// Helpers

const HINTS: Readonly<Record<Mode, string>> = {
  live: 'A long text that starts with xpub, ypub, zpub, Ltub or similar.',
  test: 'A long text that starts with tpub, upub, vpub, ttub or similar; on Ethereum also xpub.',
};

/**
 * Shown when a private key was pasted. Prominent, because the money is at risk, and calm about what
 * to do.
 */
function ExposedKey({ message }: { readonly message: string | null }) {
  return (
    <div className="problem exposed" role="alert">
      <WarnIcon />
      <div>
        <p>
          <strong>You pasted a private key or recovery phrase.</strong>
        </p>
        <p>{message}</p>
        <ol>
          <li>Create a new wallet with a new recovery phrase.</li>
          <li>Send all coins from the old wallet to the new one, now.</li>
          <li>Return here with the extended public key of the new wallet.</li>
        </ol>
      </div>
    </div>
  );
}

function TestWalletNotice() {
  return (
    <div className="notice" role="status">
      <p>Use a test account on the test network. Keys of live wallets are rejected.</p>
    </div>
  );
}

function forgetPrivate(error: unknown, setKey: (key: string) => void): void {
  if (error instanceof RequestFailure && error.code === 'PRIVATE_KEY_REFUSED') setKey('');
}
