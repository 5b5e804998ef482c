import { type FormEvent, useState } from 'react';
import type { BothFactorsBody } from '../../../http/console/session/schemas.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { sayingOf } from '../../ui/problem.tsx';

interface BothFactorsFormProps {
  readonly about: string;
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly work: { readonly error: unknown; readonly isPending: boolean };
  send(factors: BothFactorsBody): void;
}

/**
 * Changes of the second factor require password and code, so that an open session alone is not
 * enough.
 */
export function BothFactorsForm({ about, action, isDangerous = false, work, send }: BothFactorsFormProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send({ password, code: code.trim() });
    setCode('');
  };
  return (
    <form className="form form-narrow" onSubmit={submit}>
      <p className="soft">{about}</p>
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <CodeField value={code} error={work.error === null ? null : sayingOf(work.error)} change={setCode} />
      <div className="button-row">
        <Button type="submit" look={isDangerous ? 'danger' : 'main'} isBusy={work.isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
}
