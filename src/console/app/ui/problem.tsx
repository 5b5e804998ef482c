import { RequestFailure } from '../api/request.ts';
import { Button } from './button.tsx';
import { WarnIcon } from './icons.tsx';

interface ProblemProps {
  readonly error: unknown;
  /** Asks once more; left out where repeating cannot help. */
  retry?(): void;
}

/** What went wrong and what to do now. */
export function Problem({ error, retry }: ProblemProps) {
  return (
    <div className="problem" role="alert">
      <WarnIcon />
      <p>{sayingOf(error)}</p>
      {retry === undefined ? null : <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** An error in words for whoever looks at the page. */
export function sayingOf(error: unknown): string {
  if (error instanceof RequestFailure) return error.message;
  return `Something in this page failed: ${error instanceof Error ? error.message : String(error)}. Load it again.`;
}
