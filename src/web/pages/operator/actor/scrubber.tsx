import '../../../styles/actor.css';
import { useId } from 'react';
import type { JournalStep } from '../../../../http/console/operator/schemas.ts';
import { useSearchParams, useSetSearchParams } from '../../../routing/router.ts';
import { useAriaKeys, useShortcut } from '../../../state/shortcuts.ts';
import { Button } from '../../../ui/button.tsx';
import { BackIcon, ForwardIcon } from '../../../ui/icons.tsx';
import { timestampText } from '../../../ui/values/time-text.ts';

export interface ScrubberProps {
  readonly steps: readonly JournalStep[];
  readonly shown: JournalStep | undefined;
  go(step: JournalStep): void;
}

/** The selected step of a journal: the newest, or the one in the URL. */
export function useShownStep(steps: readonly JournalStep[]): Pick<ScrubberProps, 'shown' | 'go'> {
  const at = Number(useSearchParams().get('at') ?? Number.NaN);
  const setQuery = useSetSearchParams();
  const newest = steps.at(-1);
  return {
    shown: steps.find(({ sequence }) => sequence === at) ?? newest,
    go: (step) => setQuery({ at: step === newest ? undefined : step.sequence }, { replaces: true }),
  };
}

/** Steps through a journal; the rest of the page shows the actor as of the selected step. */
export function Scrubber({ steps, shown, go }: ScrubberProps) {
  const id = useId();
  const position = shown === undefined ? -1 : steps.indexOf(shown);
  const move = (to: number) => {
    const step = steps[Math.min(Math.max(to, 0), steps.length - 1)];
    if (step !== undefined) go(step);
  };
  useShortcut('[', 'Previous step', () => move(position - 1));
  useShortcut(']', 'Next step', () => move(position + 1));
  const [backKey, onKey] = [useAriaKeys('['), useAriaKeys(']')];
  if (shown === undefined) return null;
  return (
    <div className="card scrubber">
      <Button
        variant="quiet"
        className="button-icon"
        aria-label="One step back"
        aria-keyshortcuts={backKey}
        title="Previous step ([)"
        disabled={position <= 0}
        onClick={() => move(position - 1)}
      >
        <BackIcon />
      </Button>
      <div className="scrubber-middle">
        <label htmlFor={id} className="unseen">
          Journal step
        </label>
        <input
          id={id}
          className="range"
          type="range"
          min={0}
          max={Math.max(steps.length - 1, 0)}
          value={position}
          aria-valuetext={`Step ${shown.sequence}: ${shown.eventType}, then ${shown.state}`}
          onChange={(event) => move(Number(event.target.value))}
        />
        <p className="scrubber-words">
          <span>
            <strong className="number">{`${position + 1}/${steps.length}`}</strong>{' '}
            <span className="mono">{shown.eventType}</span>
          </span>
          <span className="soft number">{timestampText(shown.at)}</span>
        </p>
      </div>
      <Button
        variant="quiet"
        className="button-icon"
        aria-label="One step on"
        aria-keyshortcuts={onKey}
        title="Next step (])"
        disabled={position >= steps.length - 1}
        onClick={() => move(position + 1)}
      >
        <ForwardIcon />
      </Button>
    </div>
  );
}
