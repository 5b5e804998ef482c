import '../../../styles/actor.css';
import { useEffect, useRef } from 'react';
import { useShortcut } from '../../../state/shortcuts.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Since } from '../../../ui/values/timestamp.tsx';
import type { ScrubberProps } from './scrubber.tsx';
import '../../../styles/actor.css';
import type { JournalStep } from '../../../../http/console/operator/schemas.ts';
import { useSearchParams, useSetSearchParams } from '../../../routing/router.ts';
import { CheckField, SelectField } from '../../../ui/forms/field.tsx';

/** The journal, newest first. Ignored events are listed too, but in a muted style. */
export function Timeline({ steps, shown, go }: ScrubberProps) {
  const list = useRef<HTMLOListElement>(null);
  const newestFirst = [...useShownSteps(steps)].reverse();
  const position = shown === undefined ? -1 : newestFirst.indexOf(shown);
  const move = (to: number) => {
    const step = newestFirst[Math.min(Math.max(to, 0), newestFirst.length - 1)];
    if (step !== undefined) go(step);
  };
  useShortcut('j', 'Older step', () => move(position + 1));
  useShortcut('k', 'Newer step', () => move(position - 1));
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>(`[data-sequence="${shown?.sequence}"]`);
    const frame = list.current;
    if (row === null || row === undefined || frame === null) return;
    // Only the list scrolls, not the page.
    if (row.offsetTop < frame.scrollTop) frame.scrollTop = row.offsetTop;
    const bottom = row.offsetTop + row.offsetHeight;
    if (bottom > frame.scrollTop + frame.clientHeight) frame.scrollTop = bottom - frame.clientHeight;
  }, [shown]);
  return (
    <Card className="card-flush timeline-card">
      <div className="card-bar">
        <h2>Journal</h2>
        <JournalFilter steps={steps} />
      </div>
      {newestFirst.length === 0 ? <p className="journal-empty soft">No step matches the filter.</p> : null}
      <ol ref={list} className="timeline">
        {newestFirst.map((step) => (
          <li key={step.sequence} data-sequence={step.sequence} className="timeline-step">
            <button
              type="button"
              className={step.outcome === 'ignored' ? 'timeline-button is-ignored' : 'timeline-button'}
              aria-current={step === shown ? 'step' : undefined}
              onClick={() => go(step)}
            >
              <span className="number soft">{step.sequence}</span>
              <span className="timeline-words">
                <span className="mono wrap">{step.eventType}</span>
                <span className="timeline-about">
                  {step.state} · <Since at={step.at} />
                </span>
                {step.error === null ? null : <span className="bad wrap">{step.error}</span>}
              </span>
              <span className="timeline-marks">
                <Badge tone={SOURCE_TONES[step.source]}>{step.source}</Badge>
                {step.outcome === 'ignored' || step.outcome === 'failed' ? (
                  <Badge tone={step.outcome === 'failed' ? 'bad' : 'quiet'}>{step.outcome}</Badge>
                ) : null}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </Card>
  );
}

// Helpers

/** Events sent by people stand out; automatic ones do not. */
const SOURCE_TONES: Readonly<Record<JournalStep['source'], Tone>> = {
  start: 'quiet',
  chain: 'info',
  timer: 'quiet',
  merchant: 'good',
  customer: 'good',
  operator: 'warn',
  service: 'quiet',
};

/** The steps of a journal that the filter in the URL lets through. */
function useShownSteps(steps: readonly JournalStep[]): readonly JournalStep[] {
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
function JournalFilter({ steps }: { readonly steps: readonly JournalStep[] }) {
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
