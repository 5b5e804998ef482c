import '../../styles/actor.css';
import type { JournalStep } from '../../../http/console/operator/schemas.ts';
import { useSearchParams, useSetSearchParams } from '../../routing/router.ts';
import { CheckField, SelectField } from '../../ui/field.tsx';

/** The steps of a journal that the filter in the URL lets through. */
export function useShownSteps(steps: readonly JournalStep[]): readonly JournalStep[] {
  const query = useSearchParams();
  const [event, source] = [query.get('event'), query.get('source')];
  const onlyMoves = query.get('moves') === '1';
  return steps.filter(
    (step, index) =>
      (event === null || step.eventType === event) &&
      (source === null || step.source === source) &&
      (!onlyMoves || step.state !== steps[index - 1]?.state),
  );
}

/** Filter of a journal by event and source, and to the steps that changed the state. */
export function JournalFilter({ steps }: { readonly steps: readonly JournalStep[] }) {
  const query = useSearchParams();
  const setQuery = useSetSearchParams();
  const set = (changes: Readonly<Record<string, string | undefined>>) => setQuery(changes, { replaces: true });
  return (
    <div className="journal-filter">
      <Choice
        label="Event"
        value={query.get('event')}
        options={steps.map(({ eventType }) => eventType)}
        choose={(event) => set({ event })}
      />
      <Choice
        label="Source"
        value={query.get('source')}
        options={steps.map(({ source }) => source)}
        choose={(source) => set({ source })}
      />
      <CheckField
        label="State changes only"
        checked={query.get('moves') === '1'}
        onChange={({ target }) => set({ moves: target.checked ? '1' : undefined })}
      />
    </div>
  );
}

// Helpers

interface ChoiceProps {
  readonly label: string;
  readonly value: string | null;
  readonly options: readonly string[];
  choose(value: string | undefined): void;
}

/** What is in the URL stays in the list, also if this journal has none of it. */
function Choice({ label, value, options, choose }: ChoiceProps) {
  const all = [...new Set(value === null ? options : [...options, value])].sort();
  return (
    <SelectField label={label} value={value ?? ''} onChange={({ target }) => choose(target.value || undefined)}>
      <option value="">Any</option>
      {all.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </SelectField>
  );
}
