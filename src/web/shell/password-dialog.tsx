import { type FormEvent, useState } from 'react';
import { useReauthenticate, useSignedIn } from '../api/account.ts';
import { answerPassword, useIsPasswordAsked } from '../state/reauthentication.ts';
import { Button } from '../ui/button.tsx';
import { CodeField } from '../ui/code-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { sayingOf } from '../ui/problem.tsx';

/** Asks for the password again when a request requires it; the request is then repeated. */
export function PasswordDialog() {
  const isAsked = useIsPasswordAsked();
  return (
    <Dialog title="Confirm that it is you" isOpen={isAsked} close={() => answerPassword(false)}>
      {isAsked ? <PasswordForm /> : null}
    </Dialog>
  );
}

// Helpers

function PasswordForm() {
  const { data: user } = useSignedIn();
  const give = useReauthenticate();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const hasTotp = user?.hasTotp === true;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // In React's tree, unlike in the DOM, this form is inside the form behind it.
    event.stopPropagation();
    if (give.isPending) return;
    const body = hasTotp ? { password, code: code.trim() } : { password };
    give.mutate(body, { onSuccess: () => answerPassword(true), onError: () => setCode('') });
  };
  return (
    <form className="form" onSubmit={submit}>
      <p className="soft">
        This change decides where money goes, what counts as paid, or who may sign in. It needs your password
        {hasTotp ? ' and a code' : ''} again.
      </p>
      <input type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      <TextField
        label="Your password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        error={give.error === null || hasTotp ? null : sayingOf(give.error)}
        onChange={(event) => setPassword(event.target.value)}
      />
      {hasTotp ? (
        <CodeField value={code} error={give.error === null ? null : sayingOf(give.error)} change={setCode} />
      ) : null}
      <div className="button-row">
        <Button type="submit" look="main" isBusy={give.isPending}>
          Confirm
        </Button>
        <Button onClick={() => answerPassword(false)}>Cancel</Button>
      </div>
    </form>
  );
}
