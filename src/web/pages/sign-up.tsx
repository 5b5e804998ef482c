import { useState } from 'react';
import { useSignUp } from '../api/entry.ts';
import { Link } from '../routing/link.tsx';
import { hrefOf } from '../routing/paths.ts';
import { EntryFrame } from '../shell/entry-frame.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { Form } from '../ui/forms/form.tsx';
import { errorText } from '../ui/problem.tsx';

/**
 * Creates a merchant account, where the operator has enabled sign-up. The account exists once the
 * email address is confirmed.
 */
export function SignUpPage() {
  const signUp = useSignUp();
  const [body, setBody] = useState({ email: '', merchantName: '' });
  const submit = () => {
    signUp.mutate(body);
  };
  return (
    <EntryFrame title="Create an account">
      <h1>Create an account</h1>
      {signUp.isSuccess ? (
        <p role="status">
          We sent a link to <strong className="wrap">{body.email}</strong>. Open it to choose your password.
        </p>
      ) : (
        <Form work={signUp} action="Continue" problem={null} submit={submit}>
          <TextField
            label="Name of your shop"
            hint="Shown to your customers on the payment page."
            autoComplete="organization"
            required
            value={body.merchantName}
            onChange={(event) => setBody({ ...body, merchantName: event.target.value })}
          />
          <TextField
            label="Email"
            type="email"
            autoComplete="username"
            required
            value={body.email}
            error={errorText(signUp.error)}
            onChange={(event) => setBody({ ...body, email: event.target.value })}
          />
        </Form>
      )}
      <p className="entry-foot">
        <Link href={hrefOf('signIn', {})}>Back to sign-in</Link>
      </p>
    </EntryFrame>
  );
}
