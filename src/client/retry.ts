import { ApiError, ConnectionError } from './errors.ts';

export interface RetryTerms {
  /** Attempts after the first one. */
  readonly maxRetries: number;
  /** A pause longer than this, in ms, is left to the caller. */
  readonly maxWaitMs: number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly sleep: (ms: number, signal: AbortSignal | null) => Promise<void>;
}

/**
 * Repeats what may be repeated. `isRepeatable`: doing it twice is the same as doing it once, because it only reads or carries an
 * idempotency key. Anything else is repeated only when the service has said that it did not even look at it.
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
  // A used-up quota is also 429, but waiting for it takes weeks.
  if (error.status === 429) return error.code !== 'MONTHLY_LIMIT_REACHED';
  return isRepeatable && error.status >= 500;
}

/** What the service asks for; else twice as long each time, at random between half and all of it, so that many do not return together. */
function pauseBefore(error: unknown, retries: number, random: () => number): number {
  if (error instanceof ApiError && error.retryAfterSeconds !== null) return error.retryAfterSeconds * SECOND_MS;
  return FIRST_PAUSE_MS * 2 ** retries * (0.5 + random() / 2);
}
