import { useState } from 'react';
import type { KeyKind, ShownKey } from '../../../../http/console/merchant/keys/schemas.ts';
import type { Mode } from '../../../../http/console/merchant/schemas.ts';
import { useCreateKey } from '../../../api/keys.ts';
import { useMode } from '../../../routing/router.ts';
import { CheckField, SelectField, TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { KIND_MEANINGS, KIND_WORDS } from './labels.ts';

interface CreateKeyProps {
  /** Receives the key, which cannot be fetched again. */
  show(kind: KeyKind, made: ShownKey): void;
  close(): void;
}

const KINDS: readonly KeyKind[] = ['secret', 'publishable'];
const MODES: Readonly<Record<Mode, string>> = { live: 'Live: real payments', test: 'Test: no real money' };

export function CreateKey({ show, close }: CreateKeyProps) {
  const create = useCreateKey((made, body) => show(body.kind, made));
  const [kind, setKind] = useState<KeyKind>('secret');
  const [mode, setMode] = useState<Mode>(useMode());
  const [name, setName] = useState('');
  const [isOneAtATime, setIsOneAtATime] = useState(false);
  const submit = () => create.mutate({ kind, mode, name: name.trim(), oneOpenPaymentPerIp: isOneAtATime });
  return (
    <Form work={create} action="Create key" submit={submit} close={close}>
      <fieldset className="choices">
        <legend className="field-label">Kind</legend>
        {KINDS.map((one) => (
          <label key={one} className="choice">
            <input type="radio" name="kind" checked={kind === one} onChange={() => setKind(one)} />
            <span>
              <strong>{KIND_WORDS[one]}</strong>
              <span className="choice-about">{KIND_MEANINGS[one]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <SelectField
        label="Mode"
        value={mode}
        onChange={(event) => setMode(event.target.value === 'live' ? 'live' : 'test')}
      >
        {Object.entries(MODES).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Name"
        hint="What uses it, for example “Web shop”. Optional. Only you see it."
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <CheckField
        label="One open payment at a time per customer IP address"
        checked={isOneAtATime}
        onChange={(event) => setIsOneAtATime(event.target.checked)}
      />
    </Form>
  );
}
