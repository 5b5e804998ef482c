import type { ChartDetail } from '../../../../http/console/contract/charts.ts';
import type { ChartForm } from '../../../chart/chart-figure.tsx';
import type { ChartSelection } from '../../../chart/types.ts';
import { useSearchParams, useSetSearchParams } from '../../../routing/router.ts';

/** The form in which charts are shown, from the URL. */
export function useChartForm(): ChartForm {
  const form = useSearchParams().get('form');
  return form === 'picture' || form === 'list' ? form : 'auto';
}

/** Whether charts show states alone, or their events and guards as well, from the URL. */
export function useChartDetail(): ChartDetail {
  return useSearchParams().get('detail') === 'events' ? 'events' : 'states';
}

/** How much of a chart to show, and as picture, list, or whichever fits. */
export function FormSwitch() {
  const [form, detail] = [useChartForm(), useChartDetail()];
  const setQuery = useSetSearchParams();
  return (
    <>
      <Segments
        legend="Chart detail"
        name="chart-detail"
        options={DETAILS}
        chosen={detail}
        // What was picked is not part of the other drawing.
        choose={(value) =>
          setQuery({ detail: value === 'states' ? undefined : value, transition: undefined }, { replaces: true })
        }
      />
      <Segments
        legend="Chart display"
        name="chart-form"
        options={FORMS}
        chosen={form}
        choose={(value) => setQuery({ form: value === 'auto' ? undefined : value }, { replaces: true })}
      />
    </>
  );
}

/** The selected part of a chart, from the URL. */
export function usePicked(): ChartSelection | null {
  const query = useSearchParams();
  const [state, transition] = [query.get('pick'), query.get('transition')];
  if (transition !== null) return { transition };
  return state === null ? null : { state };
}

interface SegmentsProps<Value extends string> {
  readonly legend: string;
  readonly name: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly chosen: Value;
  choose(value: Value): void;
}

/** A choice of one, as adjacent segments. */
export function Segments<Value extends string>({ legend, name, options, chosen, choose }: SegmentsProps<Value>) {
  return (
    <fieldset className="segments">
      <legend className="unseen">{legend}</legend>
      {options.map(([value, label]) => (
        <label key={value} className="segment">
          <input type="radio" name={name} checked={chosen === value} onChange={() => choose(value)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

// Helpers

const DETAILS = [
  ['states', 'States'],
  ['events', 'Events and guards'],
] as const;
const FORMS = [
  ['auto', 'Auto'],
  ['picture', 'Picture'],
  ['list', 'List'],
] as const;
