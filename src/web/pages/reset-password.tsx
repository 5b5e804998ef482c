import { type FormEvent, useState } from 'react';
import { useResetPassword } from '../api/account.ts';
import { Link } from '../routing/link.tsx';
import { hrefOf } from '../routing/paths.ts';
import { navigate } from '../routing/router.ts';
import { Door } from '../shell/door.tsx';
import { toast } from '../state/toasts.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { sayingOf } from '../ui/problem.tsx';
import { PASSWORD_HINT } from './account/labels.ts';

/**
 * Target of the reset link. Its token is in the fragment after `#`, which browsers do not send to
 * servers.
 */
export function ResetPasswordPage() {
  const [token] = useState(() => location.hash.slice(1));
  const reset = useResetPassword();
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reset.mutate(
      { token, password },
      {
        onSuccess: () => {
          toast('Password set. Sign in with it.');
          navigate(hrefOf('signIn', {}), { replaces: true });
        },
      },
    );
  };
  return (
    <Door title="Choose a password">
      <h1>Choose a password</h1>
      {token === '' ? (
        <p>This link is incomplete. Open it from the e-mail again, or copy all of it.</p>
      ) : (
        <form className="form" onSubmit={submit}>
          <TextField
            label="New password"
            type="password"
            hint={PASSWORD_HINT}
            autoComplete="new-password"
            required
            value={password}
            error={reset.error === null ? null : sayingOf(reset.error)}
            onChange={(event) => setPassword(event.target.value)}
          />
          <Button type="submit" look="main" isBusy={reset.isPending}>
            Set the password
          </Button>
        </form>
      )}
      <p className="door-foot">
        <Link href={hrefOf('forgotten', {})}>Ask for another link</Link>
      </p>
    </Door>
  );
}
