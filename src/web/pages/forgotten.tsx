import { useState } from 'react';
import { useForgottenPassword, useMailInfo } from '../api/entry.ts';
import { Link } from '../routing/link.tsx';
import { hrefOf } from '../routing/paths.ts';
import { EntryFrame } from '../shell/entry-frame.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { Form } from '../ui/forms/form.tsx';
import { errorText } from '../ui/problem.tsx';
import { NoEmails } from './account/link-messages.tsx';

/**
 * Requests a link to set a new password. The response does not reveal whether the account exists.
 */
export function ForgottenPage() {
  const forgotten = useForgottenPassword();
  const mail = useMailInfo();
  const [email, setEmail] = useState('');
  const submit = () => {
    forgotten.mutate({ email });
  };
  return (
    <EntryFrame title="Reset your password">
      <h1>Set a new password</h1>
      {mail.data?.sendsMails === false ? (
        <NoEmails>Reset links need a mail server. Ask the operator for a new password.</NoEmails>
      ) : forgotten.isSuccess ? (
        <p role="status">
          If there is a login for <strong className="wrap">{email}</strong>, we have sent it a link to set a new
          password. Check your email.
        </p>
      ) : (
        <Form work={forgotten} action="Send link" problem={null} submit={submit}>
          <TextField
            label="Email"
            type="email"
            hint="The link works once, for an hour."
            autoComplete="username"
            required
            value={email}
            error={errorText(forgotten.error)}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Form>
      )}
      <p className="entry-foot">
        <Link href={hrefOf('signIn', {})}>Back to sign-in</Link>
      </p>
    </EntryFrame>
  );
}
