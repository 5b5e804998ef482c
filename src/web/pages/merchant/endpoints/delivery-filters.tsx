import type { DeliveryFilter } from '../../../api/endpoints.ts';
import { useSearchParams, useSetSearchParams } from '../../../routing/router.ts';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { Filters } from '../../../ui/lists/filters.tsx';
import { STATE_WORDS } from './labels.ts';

/** The filter in a URL. Invalid values are ignored. */
export function filterIn(query: URLSearchParams): DeliveryFilter {
  const [state, event, day] = [query.get('state'), query.get('event'), query.get('from')];
  const from = DAY.test(day ?? '') ? new Date(`${day}T00:00`).getTime() : Number.NaN;
  return {
    ...(state !== null && Object.hasOwn(STATE_WORDS, state) ? { state } : {}),
    ...(event === null ? {} : { event }),
    ...(from >= 0 ? { from } : {}),
  };
}

/** State, event, and the first day, in the browser's time zone. */
export function DeliveryFilters({ eventTypes }: { readonly eventTypes: readonly string[] }) {
  const query = useSearchParams();
  const setQuery = useSetSearchParams();
  const count = Object.keys(filterIn(query)).length;
  return (
    <Filters
      label="Filter deliveries"
      className="card-bar"
      count={count}
      clearHref={count === 0 ? null : location.pathname}
    >
      <SelectField
        label="State"
        value={query.get('state') ?? ''}
        onChange={(event) => setQuery({ state: event.target.value })}
      >
        <option value="">any</option>
        {Object.entries(STATE_WORDS).map(([state, words]) => (
          <option key={state} value={state}>
            {words}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Event"
        value={query.get('event') ?? ''}
        onChange={(event) => setQuery({ event: event.target.value })}
      >
        <option value="">any</option>
        {eventTypes.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </SelectField>
      <TextField
        label="From"
        type="date"
        value={query.get('from') ?? ''}
        onChange={(event) => setQuery({ from: event.target.value })}
      />
    </Filters>
  );
}

// Helpers

const DAY = /^\d{4}-\d{2}-\d{2}$/;
