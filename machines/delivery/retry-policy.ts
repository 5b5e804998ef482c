import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type UnixMs } from '../vocabulary/time.ts';

/** Delay after each failed attempt, in order. Attempts = delays + 1: ten over 23 h 36 min. */
export const RETRY_DELAYS_MS: readonly number[] = [
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

export const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + 1;

/** No delay extends past this time after creation; an attempt that fails after it is the last. */
export const DELIVERY_HORIZON_MS = DAY_MS;

/** An overdue attempt is postponed by at most this much. */
export const MAX_WAIT_OVERDUE_MS = 10 * MINUTE_MS;

/** Allows for one such postponement and for the duration of the attempts. */
const SLACK_MS = 30 * MINUTE_MS;

/**
 * Latest start of the next attempt after `made` attempts, even if the endpoint is backed off: any
 * later and the remaining schedule would not fit in the horizon. Unix ms.
 */
export function latestStart(createdAt: UnixMs, made: number): UnixMs {
  // A last delay that would pass the horizon is cut to it.
  const delays = RETRY_DELAYS_MS.slice(made, MAX_ATTEMPTS - 2).reduce((sum, delay) => sum + delay, 0);
  return createdAt + DELIVERY_HORIZON_MS - SLACK_MS - Math.ceil(delays * (1 + JITTER_FRACTION));
}

/** Delays vary by up to this fraction, to spread retries of endpoints that failed together. */
export const JITTER_FRACTION = 0.1;

/** A sender that has not responded for this long is presumed dead and the attempt is sent again. */
export const RESPONSE_OVERDUE_MS = 5 * MINUTE_MS;

/**
 * A delivery without any response for this long fails: an outage has ended by then, or is
 * permanent.
 */
export const SILENCE_HORIZON_MS = 3 * DAY_MS;

/**
 * Delay before the next attempt in ms, after `made` failed attempts. `jitter` is clamped to
 * [-1, 1]. `retryAfterMs` is the receiver's `Retry-After`, honoured from one to two times the
 * delay. Null when the schedule is used up.
 */
export function retryDelayMs(made: number, jitter: number, retryAfterMs: number | null = null): number | null {
  const scheduled = RETRY_DELAYS_MS[made - 1];
  if (scheduled === undefined) return null;
  const bounded = Math.max(-1, Math.min(1, jitter));
  const delay = Math.round(scheduled * (1 + bounded * JITTER_FRACTION));
  return Math.min(Math.max(delay, Math.ceil(retryAfterMs ?? 0)), 2 * delay);
}
