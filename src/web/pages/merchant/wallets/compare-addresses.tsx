import '../../../styles/wallets.css';
import { useState } from 'react';
import type { AddressType, AttachedWallets, WalletPreview } from '../../../../http/console/merchant/wallets/schemas.ts';
import { RequestFailure } from '../../../api/request.ts';
import { useAttachWallet, usePreviewWallet } from '../../../api/wallets.ts';
import { CheckField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { Problem } from '../../../ui/problem.tsx';
import type { ChosenCoins } from './choose-coins.tsx';
import { ChooseType } from './choose-type.tsx';
import { ConfirmReplace } from './confirm-replace.tsx';
import { StepHeading } from './stepper.tsx';

interface CompareProps {
  readonly coins: ChosenCoins;
  readonly extendedPublicKey: string;
  readonly preview: WalletPreview;
  done(attached: AttachedWallets): void;
  back(): void;
}

/**
 * The third step, which protects the money: the user confirms that these are the addresses of their
 * wallet.
 */
export function CompareAddresses({ coins, extendedPublicKey, preview: first, done, back }: CompareProps) {
  // If the key does not contain its type, none is preselected: the user has to look at their
  // wallet.
  const [preview, setPreview] = useState(first.alternatives.length === 0 ? first : null);
  // Separate state, so that the choice shows immediately: the request's state updates later.
  const [type, setType] = useState(preview?.addressType);
  const [isMatching, setIsMatching] = useState(false);
  const [isReplacing, setIsReplacing] = useState(false);
  const retype = usePreviewWallet();
  const attach = useAttachWallet();
  const chooseType = (addressType: AddressType) => {
    setIsMatching(false);
    setPreview(null);
    setType(addressType);
    const { mode } = coins.chain;
    retype.mutate({ mode, crypto: coins.cryptos[0] ?? '', extendedPublicKey, addressType }, { onSuccess: setPreview });
  };
  const send = (replaces: boolean) => {
    if (preview === null) return;
    const { addressType, addresses } = preview;
    const {
      cryptos,
      chain: { mode },
    } = coins;
    const firstAddress = addresses[0]?.address ?? '';
    attach.mutate(
      { mode, cryptos, extendedPublicKey, addressType, firstAddress, isMatching: true, replaces },
      { onSuccess: done, onError: (error) => setIsReplacing(isAboutReplacing(error)) },
    );
  };
  return (
    <Form
      work={attach}
      action="Use this wallet"
      isDisabled={!isMatching || preview === null}
      cancel="Back"
      problem={isAboutReplacing(attach.error) ? null : <Problem error={attach.error} />}
      submit={() => send(false)}
      close={back}
    >
      <StepHeading>Compare these addresses with your wallet</StepHeading>
      <p>
        Open the list of receiving addresses in your own wallet. Its first five must match these, in this order.
        Otherwise your customers would pay another wallet.
      </p>
      <ChooseType first={first} chosen={type} choose={chooseType} />
      <Problem error={retype.error} />
      {preview === null ? null : (
        <FirstAddresses preview={preview} isMatching={isMatching} setIsMatching={setIsMatching} />
      )}
      <NoMatch />
      <ConfirmReplace
        coins={coins}
        isOpen={isReplacing}
        isBusy={attach.isPending}
        replace={() => send(true)}
        close={() => setIsReplacing(false)}
      />
    </Form>
  );
}

// Helpers

function isAboutReplacing(error: unknown): boolean {
  return error instanceof RequestFailure && error.code === 'WALLET_EXISTS';
}

interface FirstAddressesProps {
  readonly preview: WalletPreview;
  readonly isMatching: boolean;
  setIsMatching(isMatching: boolean): void;
}

function FirstAddresses({ preview, isMatching, setIsMatching }: FirstAddressesProps) {
  return (
    <>
      <Warnings warnings={preview.warnings} />
      <ol className="addresses" aria-label="First addresses of this key">
        {preview.addresses.map(({ index, derivationPath, address }) => (
          <li key={index}>
            <span className="soft number" title={`Path below the account: ${derivationPath}`}>
              {index + 1}
            </span>
            <code className="wrap">{address}</code>
          </li>
        ))}
      </ol>
      <CheckField
        label="These match: my wallet shows the same addresses in the same order"
        checked={isMatching}
        onChange={(event) => setIsMatching(event.target.checked)}
      />
    </>
  );
}

function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <div className="notice">
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
    </div>
  );
}

function NoMatch() {
  return (
    <details className="help">
      <summary>They do not match. What now?</summary>
      <ul className="bullets">
        <li>Choose another kind of address above, if there is a choice.</li>
        <li>
          Check whether your wallet has several accounts, and whether the key belongs to the one you compare with.
        </li>
        <li>Some wallets hide addresses that were used before: compare with the list of all receiving addresses.</li>
        <li>If they still differ, do not use this key. Export it again, or use another wallet.</li>
      </ul>
    </details>
  );
}
