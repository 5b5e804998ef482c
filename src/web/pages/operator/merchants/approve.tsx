import type { MerchantDetail } from '../../../../http/console/operator/merchant-schemas.ts';
import { useApprove } from '../../../api/merchants.ts';
import { toastAndClose } from '../../../state/toasts.ts';
import { ReasonForm } from '../reason-field.tsx';

interface ApproveProps {
  readonly merchant: MerchantDetail;
  close(): void;
}

/** Allows a merchant that signed up to send emails to its customers. */
export function Approve({ merchant, close }: ApproveProps) {
  const approve = useApprove(merchant.id);
  return (
    <ReasonForm
      work={approve}
      action="Approve merchant"
      hint="Recorded with your name. The merchant sees the approval in its audit log, not the reason."
      submit={(recorded) => approve.mutate(recorded, toastAndClose(`${merchant.name} is approved.`, close))}
      close={close}
    >
      <p>
        <strong>{merchant.email}</strong> signed up on its own. Once approved, it can send emails to any address in the
        name of this service. You cannot revoke an approval.
      </p>
    </ReasonForm>
  );
}
