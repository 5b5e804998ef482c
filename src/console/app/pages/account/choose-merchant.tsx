import { useDeferredValue, useState } from 'react';
import { useMerchants } from '../../api/merchants.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { sayingOf } from '../../ui/problem.tsx';

interface ChooseMerchantProps {
  /** Id of one, or null for none. */
  readonly chosen: string | null;
  choose(id: string | null): void;
}

/** Chooses one of the merchants; the newest are listed, others are found by part of their name. */
export function ChooseMerchant({ chosen, choose }: ChooseMerchantProps) {
  const [text, setText] = useState('');
  const merchants = useMerchants(useDeferredValue(text.trim()));
  const found = merchants.data?.pages[0]?.merchants ?? [];
  // What was chosen before and is not among those found would stay chosen unseen.
  const value = found.some(({ id }) => id === chosen) ? (chosen ?? '') : '';
  return (
    <>
      <TextField
        label="Find the merchant"
        type="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          choose(null);
        }}
      />
      <SelectField
        label="Merchant"
        required
        value={value}
        error={merchants.error === null ? null : sayingOf(merchants.error)}
        hint={merchants.data !== undefined && found.length === 0 ? 'Nobody is called that.' : undefined}
        onChange={(event) => choose(event.target.value === '' ? null : event.target.value)}
      >
        <option value="">Choose one</option>
        {found.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </>
  );
}
