import '../../../styles/payments.css';
import { type RefObject, useEffect, useState } from 'react';
import type { PaymentFilter } from '../../../../http/console/merchant/payments/schemas.ts';
import { hrefOf } from '../../../routing/paths.ts';
import { useSetSearchParams } from '../../../routing/router.ts';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { Filters } from '../../../ui/lists/filters.tsx';
import { SearchField } from '../../../ui/lists/search-field.tsx';
import { EXCEPTION_WORDS, STATUS_WORDS } from '../../../ui/values/payment-status-badge.tsx';
import { COIN_NAMES, countOf, TYPE_NAMES } from './payment-filter.ts';

interface PaymentFiltersProps {
  readonly filter: PaymentFilter;
  readonly search: RefObject<HTMLInputElement | null>;
}

/** The filters of the list. Every change is a history entry, so that the back button undoes it. */
export function PaymentFilters({ filter, search }: PaymentFiltersProps) {
  const setQuery = useSetSearchParams();
  const count = countOf(filter);
  return (
    <Filters
      label="Filter payments"
      className="payment-filters"
      search={
        <SearchField
          ref={search}
          name="search"
          label="Search"
          placeholder="Order, title, email, txid or id"
          hint="Press Enter to search. Orders and ids match from the start, titles any part; emails, addresses, txids and metadata in full."
          maxLength={MAX_SEARCH_CHARACTERS}
        />
      }
      count={count}
      clearHref={count > 0 || filter.search !== undefined ? hrefOf('payments', {}) : null}
    >
      <StatusField filter={filter} />
      <SelectField
        label="Coin"
        value={filter.crypto ?? ''}
        onChange={(event) => setQuery({ crypto: event.target.value })}
      >
        <option value="">any</option>
        {Object.entries(COIN_NAMES).map(([symbol, name]) => (
          <option key={symbol} value={symbol}>{`${symbol} – ${name}`}</option>
        ))}
      </SelectField>
      <DayField label="From (UTC)" name="from" day={filter.from} max={filter.to} />
      <DayField
        label="To (UTC)"
        name="to"
        day={filter.to}
        min={filter.from}
        error={isWrongWay(filter) ? 'Before the first day.' : null}
      />
      <SelectField label="Kind" value={filter.type ?? ''} onChange={(event) => setQuery({ type: event.target.value })}>
        <option value="">any</option>
        {Object.entries(TYPE_NAMES).map(([type, name]) => (
          <option key={type} value={type}>
            {name}
          </option>
        ))}
      </SelectField>
    </Filters>
  );
}

/** Whether the last day is before the first one, which matches nothing. */
export function isWrongWay({ from, to }: PaymentFilter): boolean {
  return from !== undefined && to !== undefined && from > to;
}

// Helpers

/** Statuses and pending decisions in one list: a shop looks for either. */
function StatusField({ filter }: Pick<PaymentFiltersProps, 'filter'>) {
  const setQuery = useSetSearchParams();
  const chosen = filter.exception !== undefined ? `${DECIDE}${filter.exception}` : (filter.status ?? '');
  const choose = (value: string) =>
    value.startsWith(DECIDE)
      ? setQuery({ status: undefined, exception: value.slice(DECIDE.length) })
      : setQuery({ status: value, exception: undefined });
  return (
    <SelectField label="Status" value={chosen} onChange={(event) => choose(event.target.value)}>
      <option value="">any</option>
      {Object.entries(STATUS_WORDS).map(([status, { word }]) => (
        <option key={status} value={status}>
          {word}
        </option>
      ))}
      <optgroup label="Needs your decision">
        {Object.entries(EXCEPTION_WORDS).map(([exception, { word }]) => (
          <option key={exception} value={`${DECIDE}${exception}`}>
            {word}
          </option>
        ))}
      </optgroup>
    </SelectField>
  );
}

/** Prefix of values that are an exception and not a status. */
const DECIDE = 'decide:';

const MAX_SEARCH_CHARACTERS = 320;

interface DayFieldProps {
  readonly label: string;
  readonly name: 'from' | 'to';
  readonly day: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly error?: string | null;
}

/** While a day is typed, it passes through years like 0002; only plausible days are searched. */
function DayField({ label, name, day, error = null, ...limits }: DayFieldProps) {
  const setQuery = useSetSearchParams();
  const [text, setText] = useState(day ?? '');
  useEffect(() => setText(day ?? ''), [day]);
  const change = (value: string) => {
    setText(value);
    if (value === '' || value >= FIRST_DAY) setQuery({ [name]: value });
  };
  return (
    <TextField
      label={label}
      type="date"
      value={text}
      error={error}
      {...limits}
      onChange={(event) => change(event.target.value)}
    />
  );
}

/** No coins existed before. */
const FIRST_DAY = '2009-01-01';
