import { RequestFailure } from '../api/request.ts';
import { toast } from '../state/toasts.ts';
import { Button } from './button.tsx';
import { WarnIcon } from './icons.tsx';

interface ProblemProps {
  readonly error: Error | null;
  /** Retries; omitted where a retry cannot help. */
  retry?(): void;
}

/** An error, and what to do about it; nothing for null. */
export function Problem({ error, retry }: ProblemProps) {
  if (error === null) return null;
  return (
    <div className="problem" role="alert">
      <WarnIcon />
      <p>{errorText(error)}</p>
      {retry === undefined ? null : <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** An error as text for the user; null for null. */
export function errorText(error: Error | null): string | null {
  if (error === null) return null;
  if (error instanceof RequestFailure) return error.message;
  return `Something in this page failed: ${error.message}. Reload the page.`;
}

export function toastError(error: Error): void {
  toast(errorText(error) ?? '', 'bad');
}
