import type { RefObject } from 'react';
import type { ActorFilter } from '../../../../http/console/operator/schemas.ts';
import { useCharts } from '../../../api/operator.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { useSetSearchParams } from '../../../routing/router.ts';
import { CheckField, SelectField } from '../../../ui/forms/field.tsx';
import { SearchField } from '../../../ui/lists/search-field.tsx';
import { FLAGS, isPlain, queryOf, RESTS } from './actor-filter.ts';

interface ActorFiltersProps {
  readonly filter: ActorFilter;
  readonly search: RefObject<HTMLInputElement | null>;
  /** Whether the user may send events to the matching actors. */
  readonly mayAct: boolean;
}

/** The filter of the list. Every change is a history entry, so that the back button undoes it. */
export function ActorFilters({ filter, search, mayAct }: ActorFiltersProps) {
  const setQuery = useSetSearchParams();
  const charts = useCharts();
  const chart = charts.data?.find(({ kind }) => kind === filter.kind);
  const set = (changes: Partial<Record<keyof ReturnType<typeof queryOf>, string | number | undefined>>) =>
    setQuery(changes);
  const isPayments = filter.kind === 'transaction';
  return (
    <search className="filters">
      <SelectField
        label="Kind"
        value={filter.kind}
        onChange={(event) => set({ kind: event.target.value, state: undefined })}
      >
        {charts.data?.map(({ kind }) => (
          <option key={kind}>{kind}</option>
        ))}
      </SelectField>
      <SelectField
        label="State"
        value={filter.state ?? ''}
        onChange={(event) => set({ kind: filter.kind, state: event.target.value })}
      >
        <option value="">any</option>
        {chart?.states
          .filter(({ path }) => path !== '')
          .map(({ path }) => (
            <option key={path}>{path}</option>
          ))}
      </SelectField>
      <SelectField label="Mode" value={filter.mode ?? ''} onChange={(event) => set({ mode: event.target.value })}>
        <option value="">any</option>
        <option>live</option>
        <option>test</option>
      </SelectField>
      <SelectField
        label="In state for at least"
        value={RESTS.find(([, , ms]) => ms === filter.restingMs)?.[0] ?? ''}
        onChange={(event) => set({ rest: event.target.value })}
      >
        <option value="">any time</option>
        {RESTS.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </SelectField>
      <SearchField
        ref={search}
        name="search"
        label={isPayments ? 'Id, order id, address or txid' : 'Id'}
        placeholder={isPayments ? 'txn_… or a full value' : 'Start of an id'}
        className="filters-wide"
      />
      <div className="filters-more">
        {FLAGS.map(([name, field, label]) => (
          <CheckField
            key={name}
            label={label}
            checked={filter[field] === true}
            onChange={(event) => setQuery({ [name]: event.target.checked ? 1 : undefined })}
          />
        ))}
        {filter.merchantId === undefined ? null : <span className="wrap">of {filter.merchantId}</span>}
        {isPlain(filter) ? null : <Link href={hrefOf('actors', {}, { kind: filter.kind })}>Clear filter</Link>}
        {isPlain(filter) || !mayAct ? null : (
          <Link href={hrefOf('runs', {}, { ...queryOf(filter), stage: 1 })}>Send an event to all</Link>
        )}
      </div>
    </search>
  );
}
