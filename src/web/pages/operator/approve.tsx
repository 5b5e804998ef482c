import { type FormEvent, useState } from 'react';
import type { MerchantDetail } from '../../../http/console/operations/merchant-schemas.ts';
import { useApprove } from '../../api/merchants.ts';
import { toast } from '../../state/toasts.ts';
import { Button } from '../../ui/button.tsx';
import { AreaField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';

interface ApproveProps {
  readonly merchant: MerchantDetail;
  close(): void;
}

/** Allows a merchant that signed up to send mails to its customers. */
export function Approve({ merchant, close }: ApproveProps) {
  const approve = useApprove(merchant.id);
  const [reason, setReason] = useState('');
  const [requestId] = useState(() => crypto.randomUUID());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    approve.mutate(
      { reason: reason.trim(), requestId },
      {
        onSuccess: () => {
          toast(`${merchant.name} is approved.`);
          close();
        },
      },
    );
  };
  return (
    <form className="form" onSubmit={submit}>
      <p>
        <strong>{merchant.email}</strong> signed up by itself. Once approved, it can have mails sent to any address, in
        the name of this service. An approval cannot be taken back.
      </p>
      <AreaField
        label="Reason"
        hint="Kept under your name. The merchant sees the approval in its audit log, not the reason."
        required
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {approve.error === null ? null : <Problem error={approve.error} />}
      <div className="button-row">
        <Button type="submit" look="main" isBusy={approve.isPending} disabled={reason.trim() === ''}>
          Approve the merchant
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  );
}
