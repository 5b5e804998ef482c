import { RequestFailure } from '../api/request.ts';
import { Button } from './button.tsx';
import { WarnIcon } from './icons.tsx';

interface ProblemProps {
  readonly error: unknown;
  /** Retries; omitted where a retry cannot help. */
  retry?(): void;
}

/** An error, and what to do about it. */
export function Problem({ error, retry }: ProblemProps) {
  return (
    <div className="problem" role="alert">
      <WarnIcon />
      <p>{sayingOf(error)}</p>
      {retry === undefined ? null : <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** An error as text for the user. */
export function sayingOf(error: unknown): string {
  if (error instanceof RequestFailure) return error.message;
  return `Something in this page failed: ${error instanceof Error ? error.message : String(error)}. Load it again.`;
}
