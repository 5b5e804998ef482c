import { RetryableError } from '../../errors.ts';

/** The source wants fewer requests; `retryAfterMs` is the pause it named, 0 when it named none. */
export const RATE_SOURCE_LIMITED = 'RATE_SOURCE_LIMITED';

/** The source answered, but what it said cannot be used. Nothing of the answer is repeated: it could be anything. */
export function unreadable(source: string, problem: string, cause?: unknown): RetryableError {
  return new RetryableError('RATE_SOURCE_UNREADABLE', `${source} answered ${problem}`, { cause });
}

/** The source answered with prices too old to be used. */
export function stale(source: string, problem: string): RetryableError {
  return new RetryableError('RATE_SOURCE_STALE', `${source} answered ${problem}`);
}

/** The source said that it was asked too often. `pauseMs` is null when it did not say how long to wait. */
export function rateLimited(source: string, pauseMs: number | null): RetryableError {
  const howLong = pauseMs === null ? 'without saying for how long' : `for ${Math.ceil(pauseMs / 1_000)} s`;
  return new RetryableError(RATE_SOURCE_LIMITED, `${source} asks to be left alone ${howLong}`, {
    retryAfterMs: pauseMs ?? 0,
  });
}
