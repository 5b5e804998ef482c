import type { UnixMs } from '../../vocabulary/time.ts';
import type { OutputRecord, TransactionContext } from '../context.ts';

/** Bounds of what is in time, both included. */
export interface TimeLimits {
  readonly firstSeenUntil: UnixMs;
  /** For a replacement, which inherits its first sighting: its own first sighting. */
  readonly sentAgainUntil: UnixMs;
}

/** Whether an output was first seen in time, itself or through what it replaced soon enough. */
export function isWithin(output: OutputRecord, limits: TimeLimits): boolean {
  return output.firstSeenAt <= limits.firstSeenUntil && !isSentAgainAfter(output, limits);
}

/** Whether an output replaces one seen before, and was itself seen only after the limit. */
export function isSentAgainAfter({ ownSighting }: OutputRecord, { sentAgainUntil }: TimeLimits): boolean {
  return ownSighting !== undefined && ownSighting.at > sentAgainUntil;
}

/**
 * While a review has stopped the clock before the end of the window, all coins are in time:
 * `expiresAt` will move past them.
 */
export function limitsOf({ review, expiresAt, confirmationDeadlineMs }: TransactionContext): TimeLimits {
  const isClockStopped = review !== null && review.resolvedAt === null && review.startedAt <= expiresAt;
  const firstSeenUntil = isClockStopped ? Number.POSITIVE_INFINITY : expiresAt;
  return { firstSeenUntil, sentAgainUntil: firstSeenUntil + confirmationDeadlineMs };
}
