import { RetryableError } from '../../platform/errors.ts';

/** The source rate limited us; `retryAfterMs` is the pause it requested, 0 for none. */
export const RATE_SOURCE_LIMITED = 'RATE_SOURCE_LIMITED';

/** The response is unusable. The message never quotes it, because it could contain anything. */
export function unreadable(source: string, problem: string, cause?: unknown): RetryableError {
  return new RetryableError('RATE_SOURCE_UNREADABLE', `${source} returned ${problem}`, { cause });
}

/** The response has prices that are too old. */
export function stale(source: string, problem: string): RetryableError {
  return new RetryableError('RATE_SOURCE_STALE', `${source} returned ${problem}`);
}

/** The source rate limited us. `pauseMs` is null when it did not say how long to wait. */
export function rateLimited(source: string, pauseMs: number | null): RetryableError {
  const howLong = pauseMs === null ? 'for an unspecified time' : `for ${Math.ceil(pauseMs / 1_000)} s`;
  return new RetryableError(RATE_SOURCE_LIMITED, `${source} rate limited us ${howLong}`, {
    retryAfterMs: pauseMs ?? 0,
  });
}
