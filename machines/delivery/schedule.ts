import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type UnixMs } from '../vocabulary/time.ts';

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

/** No pause reaches beyond this after the creation; an attempt that fails then was the last. */
export const DELIVERY_HORIZON_MS = DAY_MS;

/** No attempt is put off by more than this once it is overdue. */
export const LONGEST_WAIT_OVERDUE_MS = 10 * MINUTE_MS;

/** Room for one such wait, and for what the attempts themselves last. */
const SLACK_MS = 30 * MINUTE_MS;

/**
 * When a delivery that has made so many attempts must make its next one, although its endpoint is held back: later than that, the rest
 * of the schedule would not end within the horizon. Unix ms.
 */
export function latestStart(createdAt: UnixMs, made: number): UnixMs {
  // The last attempt is made at the horizon when its gap reaches beyond.
  const gaps = RETRY_GAPS_MS.slice(made, MAX_ATTEMPTS - 2).reduce((sum, gap) => sum + gap, 0);
  return createdAt + DELIVERY_HORIZON_MS - SLACK_MS - Math.ceil(gaps * (1 + JITTER_FRACTION));
}

/** Gaps vary by this fraction to either side, so that endpoints that failed together do not return together. */
export const JITTER_FRACTION = 0.1;

/** A sender that has not answered for this long is taken for dead and the attempt is sent again. */
export const ANSWER_OVERDUE_MS = 5 * MINUTE_MS;

/**
 * A delivery whose senders have been silent for this long is given up: an outage of days is over by
 * then, or never will be.
 */
export const SILENCE_HORIZON_MS = 3 * DAY_MS;

/**
 * Pause before the next attempt in ms, after `made` attempts of this delivery failed. `jitter` in [-1, 1]; values
 * outside are cut. `retryAfterMs` is what the receiver asked for, heard from the gap up to twice the gap. Null when the
 * schedule is used up.
 */
export function retryGapMs(made: number, jitter: number, retryAfterMs: number | null = null): number | null {
  const scheduled = RETRY_GAPS_MS[made - 1];
  if (scheduled === undefined) return null;
  const bounded = Math.max(-1, Math.min(1, jitter));
  const gap = Math.round(scheduled * (1 + bounded * JITTER_FRACTION));
  return Math.min(Math.max(gap, Math.ceil(retryAfterMs ?? 0)), 2 * gap);
}
