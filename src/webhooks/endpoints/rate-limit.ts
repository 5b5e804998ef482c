import { TerminalError } from '../../platform/errors.ts';

/** Highest rate limit of an endpoint, in attempts per second. */
export const MAX_PER_SECOND = 1_000;

/** Validates a rate limit; null for none. Throws a `TerminalError` `INVALID_REQUEST`. */
export function readMaxPerSecond(limit: number | null): number | null {
  if (limit === null || (Number.isInteger(limit) && limit >= 1 && limit <= MAX_PER_SECOND)) return limit;
  throw new TerminalError(
    'INVALID_REQUEST',
    `max_per_second must be a whole number from 1 to ${MAX_PER_SECOND}, or null for no limit.`,
    { field: 'max_per_second' },
  );
}
