import { type ComponentProps, type FormEvent, useEffect, useState } from 'react';
import { useSearchParams, useSetSearchParams } from '../../routing/router.ts';
import { TextField } from '../forms/field.tsx';

interface SearchFieldProps extends Pick<ComponentProps<'input'>, 'ref' | 'maxLength' | 'className'> {
  /** Its name in the URL. */
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly hint?: string;
}

/**
 * Searches when Enter is pressed or the field is left, so that not every letter becomes a history
 * entry.
 */
export function SearchField({ name, className, ...input }: SearchFieldProps) {
  const current = useSearchParams().get(name) ?? '';
  const setQuery = useSetSearchParams();
  const [text, setText] = useState(current);
  useEffect(() => setText(current), [current]);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    setQuery({ [name]: text.trim() });
  };
  return (
    <form className={className} onSubmit={submit}>
      <TextField
        type="search"
        spellCheck={false}
        autoComplete="off"
        maxLength={200}
        {...input}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => submit()}
      />
    </form>
  );
}
