import { useState } from 'react';
import { useReauthenticate, useSignedIn } from '../api/account.ts';
import { submitPassword, useIsPasswordRequested } from '../state/reauthentication.ts';
import { CodeField } from '../ui/forms/code-field.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { Form } from '../ui/forms/form.tsx';
import { errorText } from '../ui/problem.tsx';
import { Dialog } from '../ui/windows/dialog.tsx';

/** Asks for the password again when a request requires it; the request is then repeated. */
export function PasswordDialog() {
  const isRequested = useIsPasswordRequested();
  return (
    <Dialog title="Confirm your identity" isOpen={isRequested} close={() => submitPassword(false)}>
      {isRequested ? <ReauthenticationForm /> : null}
    </Dialog>
  );
}

// Helpers

function ReauthenticationForm() {
  const { data: user } = useSignedIn();
  const give = useReauthenticate();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const hasTotp = user?.hasTotp === true;
  const submit = () => {
    const body = hasTotp ? { password, code: code.trim() } : { password };
    give.mutate(body, { onSuccess: () => submitPassword(true), onError: () => setCode('') });
  };
  return (
    <Form work={give} action="Confirm" problem={null} submit={submit} close={() => submitPassword(false)}>
      <p className="soft">
        This change affects payments, accounts or the service. Enter your password
        {hasTotp ? ' and a code' : ''} again.
      </p>
      <input type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      <TextField
        label="Your password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        error={hasTotp ? null : errorText(give.error)}
        onChange={(event) => setPassword(event.target.value)}
      />
      {hasTotp ? <CodeField value={code} error={errorText(give.error)} change={setCode} /> : null}
    </Form>
  );
}
