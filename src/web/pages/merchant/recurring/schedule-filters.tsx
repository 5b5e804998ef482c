import { type FormEvent, useState } from 'react';
import type { ScheduleStatusName } from '../../../../http/console/merchant/recurring/schemas.ts';
import type { ScheduleFilter } from '../../../api/recurring.ts';
import { useSetSearchParams } from '../../../routing/router.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { STATUS_WORDS } from './schedule-labels.ts';

/** The filters of the list. A reference is searched on submit, because it must match completely. */
export function ScheduleFilters({ filter }: { readonly filter: ScheduleFilter }) {
  const setQuery = useSetSearchParams();
  const [reference, setReference] = useState(filter.reference);
  const search = (event: FormEvent) => {
    event.preventDefault();
    setQuery({ reference: reference.trim() });
  };
  return (
    <form className="recurring-filters" onSubmit={search}>
      <SelectField
        label="State"
        value={filter.status}
        onChange={(event) => setQuery({ status: event.target.value }, { replaces: true })}
      >
        <option value="">All</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {STATUS_WORDS[status].word}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Your reference"
        type="search"
        maxLength={255}
        value={reference}
        onChange={(event) => {
          setReference(event.target.value);
          if (event.target.value === '') setQuery({ reference: undefined });
        }}
      />
      <Button type="submit">Find</Button>
    </form>
  );
}

// Helpers

/** The keys are complete, because the type of the labels is total. */
const STATUSES = Object.keys(STATUS_WORDS) as readonly ScheduleStatusName[];
