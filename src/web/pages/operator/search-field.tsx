import { type FormEvent, useEffect, useState } from 'react';
import { useQuery, useSetQuery } from '../../routing/router.ts';
import { TextField } from '../../ui/field.tsx';

interface SearchFieldProps {
  /** Its name in the URL. */
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
}

/**
 * Searches when Enter is pressed or the field is left, so that not every letter becomes a history
 * entry.
 */
export function SearchField({ name, label, placeholder }: SearchFieldProps) {
  const current = useQuery().get(name) ?? '';
  const setQuery = useSetQuery();
  const [text, setText] = useState(current);
  useEffect(() => setText(current), [current]);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    setQuery({ [name]: text.trim() });
  };
  return (
    <form className="filters-wide" onSubmit={submit}>
      <TextField
        label={label}
        type="search"
        placeholder={placeholder}
        spellCheck={false}
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => submit()}
      />
    </form>
  );
}
