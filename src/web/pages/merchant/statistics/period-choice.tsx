import { useSearchParams, useSetSearchParams } from '../../../routing/router.ts';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { isoDayText } from '../../../ui/values/time-text.ts';
import { INTERVALS, PERIODS, type PeriodFromUrl } from './period.ts';

const DAY_MS = 86_400_000;
/** A custom period starts this many days before today, unless another period was selected. */
const FIRST_OWN_DAYS = 13;

/** The period and the interval. Both are in the URL. */
export function PeriodChoice({ requested }: { readonly requested: PeriodFromUrl }) {
  const query = useSearchParams();
  const setQuery = useSetSearchParams();
  const name = requested.ok ? requested.period.name : requested.name;
  const choose = (period: string) => {
    if (period !== 'own') return setQuery({ period, from: undefined, to: undefined, interval: undefined });
    const today = Date.now();
    const from = requested.ok ? requested.period.from : today - FIRST_OWN_DAYS * DAY_MS;
    setQuery({ period, from: isoDayText(from), to: isoDayText(today), interval: undefined });
  };
  return (
    <search className="period-choice">
      <fieldset className="segments">
        <legend className="unseen">Time</legend>
        {PERIODS.map(([period, words]) => (
          <label key={period} className="segment">
            <input type="radio" name="period" checked={name === period} onChange={() => choose(period)} />
            <span>{words}</span>
          </label>
        ))}
      </fieldset>
      {name === 'own' ? (
        <>
          <TextField
            label="First day"
            type="date"
            value={query.get('from') ?? ''}
            onChange={(event) => setQuery({ from: event.target.value }, { replaces: true })}
          />
          <TextField
            label="Last day"
            type="date"
            value={query.get('to') ?? ''}
            onChange={(event) => setQuery({ to: event.target.value }, { replaces: true })}
          />
        </>
      ) : null}
      <SelectField
        label="Group by"
        value={requested.ok ? requested.period.interval : (query.get('interval') ?? 'day')}
        onChange={(event) => setQuery({ interval: event.target.value })}
      >
        {INTERVALS.map(([interval, words]) => (
          <option key={interval} value={interval}>
            {words}
          </option>
        ))}
      </SelectField>
    </search>
  );
}
