import { type FormEvent, useState } from 'react';
import { useForgottenPassword } from '../api/account.ts';
import { Link } from '../routing/link.tsx';
import { hrefOf } from '../routing/paths.ts';
import { Door } from '../shell/door.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { sayingOf } from '../ui/problem.tsx';

/**
 * Requests a link to set a new password. The response does not reveal whether the account exists.
 */
export function ForgottenPage() {
  const forgotten = useForgottenPassword();
  const [email, setEmail] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    forgotten.mutate({ email });
  };
  return (
    <Door title="Forgotten password">
      <h1>Set a new password</h1>
      {forgotten.isSuccess ? (
        <p role="status">
          If there is a login for <strong className="wrap">{email}</strong>, a link to set a new password is on its way
          to it. Look into your mail.
        </p>
      ) : (
        <form className="form" onSubmit={submit}>
          <TextField
            label="E-mail"
            type="email"
            hint="The link is sent there and works once, for an hour."
            autoComplete="username"
            required
            value={email}
            error={forgotten.error === null ? null : sayingOf(forgotten.error)}
            onChange={(event) => setEmail(event.target.value)}
          />
          <Button type="submit" look="main" isBusy={forgotten.isPending}>
            Send the link
          </Button>
        </form>
      )}
      <p className="door-foot">
        <Link href={hrefOf('signIn', {})}>Back to sign-in</Link>
      </p>
    </Door>
  );
}
