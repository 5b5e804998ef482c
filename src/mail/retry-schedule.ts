import { DAY_MS, HOUR_MS, MINUTE_MS, type UnixMs } from '../../machines/index.ts';

/**
 * Delay after each attempt that failed temporarily, in order; the last one repeats. Greylisting
 * servers expect some minutes.
 */
export const MAIL_RETRY_DELAYS_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
];

/** An email older than this is abandoned, because it is outdated. */
export const MAIL_HORIZON_MS = 2 * DAY_MS;

/** When an email is retried after `tries` failed attempts; null when it is abandoned. */
export function nextTryAt({ tries, createdAt, now }: { tries: number; createdAt: UnixMs; now: UnixMs }): UnixMs | null {
  const delay = MAIL_RETRY_DELAYS_MS[Math.min(Math.max(tries, 1), MAIL_RETRY_DELAYS_MS.length) - 1] ?? 0;
  return now + delay <= createdAt + MAIL_HORIZON_MS ? now + delay : null;
}
