import { ApiError, ConnectionError } from './errors.ts';

export interface RetryTerms {
  /** Retries after the first attempt. */
  readonly maxRetries: number;
  /** A longer delay is not awaited: the error is thrown instead. In ms. */
  readonly maxWaitMs: number;
  /** Source of jitter in [0, 1). */
  readonly random: () => number;
  readonly sleep: (ms: number, signal: AbortSignal | null) => Promise<void>;
}

/**
 * Retries requests that are safe to repeat. `isRepeatable` means that the request only reads or
 * carries an idempotency key. Any other request is retried only after a 429, which means that it
 * was not processed.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { isRepeatable, signal }: { readonly isRepeatable: boolean; readonly signal: AbortSignal | null },
  terms: RetryTerms,
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (retries >= terms.maxRetries || !mayHelp(error, isRepeatable)) throw error;
      const pauseMs = pauseBefore(error, retries, terms.random);
      if (pauseMs > terms.maxWaitMs) throw error;
      await terms.sleep(pauseMs, signal);
    }
  }
}

// Helpers

const FIRST_PAUSE_MS = 250;
const SECOND_MS = 1_000;

function mayHelp(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof ConnectionError) return isRepeatable;
  if (!(error instanceof ApiError)) return false;
  // An exhausted monthly quota is also 429, but waiting for it takes weeks.
  if (error.status === 429) return error.code !== 'MONTHLY_LIMIT_REACHED';
  return isRepeatable && error.status >= 500;
}

/**
 * `Retry-After` if given; otherwise exponential backoff with jitter between 50% and 100%, so that
 * many clients do not retry at the same moment.
 */
function pauseBefore(error: unknown, retries: number, random: () => number): number {
  if (error instanceof ApiError && error.retryAfterSeconds !== null) return error.retryAfterSeconds * SECOND_MS;
  return FIRST_PAUSE_MS * 2 ** retries * (0.5 + random() / 2);
}
