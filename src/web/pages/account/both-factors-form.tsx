import { useState } from 'react';
import type { BothFactorsBody } from '../../../http/console/session/schemas.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, type Work } from '../../ui/form.tsx';
import { errorText } from '../../ui/problem.tsx';

interface BothFactorsFormProps {
  readonly about: string;
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly work: Work;
  send(factors: BothFactorsBody): void;
}

/**
 * Changes of the second factor require password and code, so that an open session alone is not
 * enough.
 */
export function BothFactorsForm({ about, action, isDangerous = false, work, send }: BothFactorsFormProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const submit = () => {
    send({ password, code: code.trim() });
    setCode('');
  };
  return (
    <Form
      work={work}
      action={action}
      look={isDangerous ? 'danger' : 'main'}
      className="form-narrow"
      problem={null}
      submit={submit}
    >
      <p className="soft">{about}</p>
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <CodeField value={code} error={errorText(work.error)} change={setCode} />
    </Form>
  );
}
