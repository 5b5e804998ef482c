import { useState } from 'react';
import { useConfirmSignUp } from '../api/account.ts';
import { Link } from '../routing/link.tsx';
import { hrefOf } from '../routing/paths.ts';
import { navigate } from '../routing/router.ts';
import { Door } from '../shell/door.tsx';
import { toast } from '../state/toasts.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';

/** Where the link of the mail leads. It takes a press of the button: programs that open links in mails must not use it up. */
export function ConfirmSignUpPage() {
  const [token] = useState(() => location.hash.slice(1));
  const confirm = useConfirmSignUp();
  const press = () =>
    confirm.mutate(
      { token },
      {
        onSuccess: () => {
          toast('Your account is there. Sign in.');
          navigate(hrefOf('signIn', {}), { replaces: true });
        },
      },
    );
  return (
    <Door title="Confirm your address">
      <h1>Confirm your address</h1>
      {confirm.error === null ? null : <Problem error={confirm.error} />}
      {token === '' ? (
        <p>This link is not complete. Open it from the mail again, or copy all of it.</p>
      ) : (
        <Button look="main" isBusy={confirm.isPending} onClick={press}>
          Create the account
        </Button>
      )}
      <p className="door-foot">
        <Link href={hrefOf('signUp', {})}>Start again</Link>
      </p>
    </Door>
  );
}
