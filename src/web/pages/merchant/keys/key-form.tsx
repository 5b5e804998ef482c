import { useState } from 'react';
import type { KeyInfo, KeyKind, ShownKey } from '../../../../http/console/merchant/keys/schemas.ts';
import type { Mode } from '../../../../http/console/merchant/schemas.ts';
import { useChangeKey, useCreateKey } from '../../../api/keys.ts';
import { useMode } from '../../../routing/router.ts';
import { toastAndClose } from '../../../state/toasts.ts';
import { CheckField, SelectField, TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { hintOf, KIND_MEANINGS, KIND_WORDS } from './labels.ts';

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
  const [rules, setRules] = useState<Rules>({ name: '', oneOpenPaymentPerIp: false });
  const submit = () => create.mutate({ kind, mode, ...rules, name: rules.name.trim() });
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
      <RuleFields
        hint="What uses it, for example “Web shop”. Optional. Only you see it."
        rules={rules}
        change={setRules}
      />
    </Form>
  );
}

interface ChangeKeyProps {
  readonly info: KeyInfo;
  close(): void;
}

/**
 * Changes a key's name, and whether a customer may have several open payments. The key itself stays
 * valid.
 */
export function ChangeKey({ info, close }: ChangeKeyProps) {
  const change = useChangeKey(info.id);
  const [rules, setRules] = useState<Rules>({ name: info.name, oneOpenPaymentPerIp: info.oneOpenPaymentPerIp });
  const submit = () => change.mutate({ ...rules, name: rules.name.trim() }, toastAndClose('Key saved.', close));
  return (
    <Form work={change} action="Save" submit={submit} close={close}>
      <p>
        <code>{hintOf(info)}</code> itself does not change; your shop needs no update.
      </p>
      <RuleFields hint="What uses it, for example “Web shop”." rules={rules} change={setRules} />
    </Form>
  );
}

// Helpers

type Rules = Pick<KeyInfo, 'name' | 'oneOpenPaymentPerIp'>;

interface RuleFieldsProps {
  /** Below the name. */
  readonly hint: string;
  readonly rules: Rules;
  change(rules: Rules): void;
}

function RuleFields({ hint, rules, change }: RuleFieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        hint={hint}
        maxLength={100}
        autoComplete="off"
        value={rules.name}
        onChange={(event) => change({ ...rules, name: event.target.value })}
      />
      <CheckField
        label="One open payment at a time per customer IP address"
        checked={rules.oneOpenPaymentPerIp}
        onChange={(event) => change({ ...rules, oneOpenPaymentPerIp: event.target.checked })}
      />
    </>
  );
}
