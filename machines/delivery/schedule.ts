import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../vocabulary/time.ts';

/** Pause after each failed attempt, in order. One attempt more than there are gaps: ten over 23 h 36 min. */
export const RETRY_GAPS_MS: readonly number[] = [
  10 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  8 * HOUR_MS,
];

export const MAX_ATTEMPTS = RETRY_GAPS_MS.length + 1;

/** Gaps vary by this fraction to either side, so that endpoints that failed together do not return together. */
export const JITTER_FRACTION = 0.1;

/** A sender that has not answered for this long is taken for dead and the attempt is sent again. */
export const ANSWER_OVERDUE_MS = 5 * MINUTE_MS;

/**
 * Pause before the next attempt in ms, after `made` attempts of this delivery failed. `jitter` in [-1, 1]; values
 * outside are cut. Null when the schedule is used up.
 */
export function retryGapMs(made: number, jitter: number): number | null {
  const gap = RETRY_GAPS_MS[made - 1];
  if (gap === undefined) return null;
  const bounded = Math.max(-1, Math.min(1, jitter));
  return Math.round(gap * (1 + bounded * JITTER_FRACTION));
}
