import { useState } from 'react';
import type { SignedIn } from '../../../http/console/session/schemas.ts';
import { useChangePassword } from '../../api/account.ts';
import { RequestFailure } from '../../api/request.ts';
import { toast } from '../../state/toasts.ts';
import { Card } from '../../ui/card.tsx';
import { CodeField } from '../../ui/forms/code-field.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { errorText } from '../../ui/problem.tsx';
import { PASSWORD_HINT } from './labels.ts';

export function PasswordForm({ user }: { readonly user: SignedIn }) {
  const change = useChangePassword();
  const [currentPassword, setCurrentPassword] = useState('');
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const problem = change.error instanceof RequestFailure ? change.error.code : null;
  const isAboutCurrent = problem === 'WRONG_PASSWORD';
  const isAboutCode = problem === 'WRONG_CODE';
  const saying = errorText(change.error);
  const submit = () => {
    const factors = user.hasTotp ? { currentPassword, code: code.trim() } : { currentPassword };
    change.mutate(
      { ...factors, password },
      {
        // A code works once.
        onSettled: () => setCode(''),
        onSuccess: () => {
          toast('Password changed. Other sessions have been signed out.');
          setCurrentPassword('');
          setPassword('');
        },
      },
    );
  };
  return (
    <Card className="card-narrow">
      <Form work={change} action="Change password" className="form-narrow" problem={null} submit={submit}>
        {/* For password managers, which need a user name to store a password. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          value={currentPassword}
          error={isAboutCurrent ? saying : null}
          onChange={(event) => setCurrentPassword(event.target.value)}
        />
        {user.hasTotp ? <CodeField value={code} error={isAboutCode ? saying : null} change={setCode} /> : null}
        <TextField
          label="New password"
          type="password"
          hint={`${PASSWORD_HINT} Your other sessions will end.`}
          autoComplete="new-password"
          required
          value={password}
          error={isAboutCurrent || isAboutCode ? null : saying}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Form>
    </Card>
  );
}
