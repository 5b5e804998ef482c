import { useState } from 'react';
import type { KeyInfo, ShownKey } from '../../../../http/console/merchant/keys/schemas.ts';
import { useRotateKey } from '../../../api/keys.ts';
import { SelectField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { nameOf } from './labels.ts';

interface ReplaceKeyProps {
  readonly info: KeyInfo;
  /** Longest time for which both keys can work. */
  readonly maxOverlapMs: number;
  show(made: ShownKey): void;
  close(): void;
}

const HOUR_MS = 3_600_000;
const OVERLAPS: readonly (readonly [words: string, ms: number])[] = [
  ['No overlap (lost or stolen)', 0],
  ['1 hour', HOUR_MS],
  ['24 hours', 24 * HOUR_MS],
  ['7 days', 7 * 24 * HOUR_MS],
];
const USUAL_OVERLAP_MS = 24 * HOUR_MS;

/** Replaces a key. Both work for a while, so that the shop has no downtime. */
export function ReplaceKey({ info, maxOverlapMs, show, close }: ReplaceKeyProps) {
  const rotate = useRotateKey(info.id, show);
  const [overlapMs, setOverlapMs] = useState(USUAL_OVERLAP_MS);
  const submit = () => rotate.mutate(overlapMs);
  return (
    <Form
      work={rotate}
      action="Replace key"
      variant={overlapMs === 0 ? 'danger' : 'main'}
      submit={submit}
      close={close}
    >
      <p className="wrap">
        You receive a new key with the name and rules of <strong>{nameOf(info)}</strong>. Add it to your shop while the
        old one still works.
      </p>
      <SelectField
        label="The old key keeps working for"
        hint={
          overlapMs === 0
            ? 'Requests with the old key are rejected immediately.'
            : 'After that, requests with the old key are rejected.'
        }
        value={overlapMs}
        onChange={(event) => setOverlapMs(Number(event.target.value))}
      >
        {OVERLAPS.filter(([, ms]) => ms <= maxOverlapMs).map(([words, ms]) => (
          <option key={ms} value={ms}>
            {words}
          </option>
        ))}
      </SelectField>
    </Form>
  );
}
