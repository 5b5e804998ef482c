import type { JournalStep } from '../../../http/console/operations/schemas.ts';
import { Button } from '../../ui/button.tsx';
import type { ScrubberProps } from './scrubber.tsx';

/** Whether the page shows the actor as of an earlier step than its last. */
export function isPast(steps: readonly JournalStep[], shown: JournalStep | undefined): boolean {
  return shown !== undefined && shown !== steps.at(-1);
}

/** Says which earlier step the page shows; nothing at the last one. */
export function PastNotice({ steps, shown, go }: ScrubberProps) {
  const newest = steps.at(-1);
  if (shown === undefined || newest === undefined || shown === newest) return null;
  return (
    <div className="notice notice-info past-notice">
      <span>
        Viewing step {steps.indexOf(shown) + 1} of {steps.length}: <strong className="wrap">{shown.state}</strong>.
      </span>
      <Button onClick={() => go(newest)}>Back to now</Button>
    </div>
  );
}
