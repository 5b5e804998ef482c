import type { ListedUser } from '../../../http/console/session/schemas.ts';
import { useResendInvitation } from '../../api/account.ts';
import { toast } from '../../state/toasts.ts';
import { Button } from '../../ui/button.tsx';
import { toastError } from '../../ui/problem.tsx';
import { HandOver } from './hand-over.tsx';

/** Sends a user who has not chosen a password yet a new link, which replaces the earlier one. */
export function ResendInvitation({ user: { id, email } }: { readonly user: ListedUser }) {
  const resend = useResendInvitation();
  const url = resend.data?.invitationUrl ?? null;
  const submit = () =>
    resend.mutate(id, {
      onSuccess: ({ invitationUrl }) => {
        if (invitationUrl === null) toast(`A new link to choose a password is on its way to ${email}.`);
      },
      onError: toastError,
    });
  return (
    <>
      <Button look="quiet" isBusy={resend.isPending} aria-label={`Resend invitation of ${email}`} onClick={submit}>
        Resend invitation
      </Button>
      {url === null ? null : <HandOver email={email} whose="their login" url={url} close={() => resend.reset()} />}
    </>
  );
}
