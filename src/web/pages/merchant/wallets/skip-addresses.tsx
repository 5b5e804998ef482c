import { useState } from 'react';
import type { WalletInfo, WalletList } from '../../../../http/console/merchant/wallets/schemas.ts';
import { useSkipAddresses } from '../../../api/wallets.ts';
import { toast } from '../../../state/toasts.ts';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { errorText } from '../../../ui/problem.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';

interface SkipAddressesProps {
  readonly wallet: WalletInfo;
  readonly limits: Pick<WalletList, 'gapLimit' | 'maxSkipped'>;
  readonly isOpen: boolean;
  close(): void;
}

/**
 * For wallets whose addresses another program also allocates: an address must belong to only one
 * payment.
 */
export function SkipAddresses({ wallet, limits, isOpen, close }: SkipAddressesProps) {
  return (
    <Dialog title={`Skip addresses of ${wallet.chainName}`} isOpen={isOpen} close={close}>
      <SkipForm wallet={wallet} limits={limits} close={close} />
    </Dialog>
  );
}

// Helpers

function SkipForm({ wallet, limits, close }: Omit<SkipAddressesProps, 'isOpen'>) {
  const skip = useSkipAddresses();
  const [count, setCount] = useState('');
  const submit = () =>
    skip.mutate(
      { id: wallet.id, count: Number(count) },
      {
        onSuccess: ({ lastSkippedIndex }) => {
          toast(`Addresses up to index ${lastSkippedIndex} are no longer used for payments.`);
          close();
        },
      },
    );
  return (
    <Form
      work={skip}
      action="Skip permanently"
      variant="danger"
      isDisabled={count === ''}
      problem={null}
      submit={submit}
      close={close}
    >
      <p>
        The next payment uses address {wallet.nextIndex + 1} (index {wallet.nextIndex}). Skip addresses only if another
        program has used addresses of this wallet, so that no two customers get the same one.
      </p>
      <p>
        Skipped addresses stay watched and cannot be restored. They create a gap: most wallets scan only{' '}
        {limits.gapLimit} unused addresses ahead, so raise the gap limit in your wallet first.
      </p>
      <TextField
        label="Number of addresses"
        hint={`1 to ${limits.maxSkipped} at a time.`}
        type="number"
        inputMode="numeric"
        min={1}
        max={limits.maxSkipped}
        required
        value={count}
        error={errorText(skip.error)}
        onChange={(event) => setCount(event.target.value)}
      />
    </Form>
  );
}
