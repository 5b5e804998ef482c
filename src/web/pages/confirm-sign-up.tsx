import { type FormEvent, useState } from 'react';
import { useConfirmSignUp } from '../api/account.ts';
import { Link } from '../routing/link.tsx';
import { hrefOf } from '../routing/paths.ts';
import { navigate } from '../routing/router.ts';
import { Door } from '../shell/door.tsx';
import { toast } from '../state/toasts.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { sayingOf } from '../ui/problem.tsx';
import { PASSWORD_HINT } from './account/labels.ts';

/** Target of the confirmation link: only the owner of the mailbox can choose the password. */
export function ConfirmSignUpPage() {
  const [token] = useState(() => location.hash.slice(1));
  const confirm = useConfirmSignUp();
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(
      { token, password },
      {
        onSuccess: () => {
          toast('Your account is ready. Sign in.');
          navigate(hrefOf('signIn', {}), { replaces: true });
        },
      },
    );
  };
  return (
    <Door title="Create your account">
      <h1>Create your account</h1>
      {token === '' ? (
        <p>This link is incomplete. Open it from the e-mail again, or copy all of it.</p>
      ) : (
        <form className="form" onSubmit={submit}>
          <TextField
            label="Password"
            type="password"
            hint={PASSWORD_HINT}
            autoComplete="new-password"
            required
            value={password}
            error={confirm.error === null ? null : sayingOf(confirm.error)}
            onChange={(event) => setPassword(event.target.value)}
          />
          <Button type="submit" look="main" isBusy={confirm.isPending}>
            Create the account
          </Button>
        </form>
      )}
      <p className="door-foot">
        <Link href={hrefOf('signUp', {})}>Start again</Link>
      </p>
    </Door>
  );
}
