import { DAY_MS, HOUR_MS, MINUTE_MS, type UnixMs } from '../../machines/index.ts';

/** Pause after each try that failed for now, in order; the last one repeats. Greylisting servers want to see some minutes. */
export const MAIL_RETRY_GAPS_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
];

/** A mail older than this is given up: what it says is no news any more. */
export const MAIL_HORIZON_MS = 2 * DAY_MS;

/** When a mail is tried again after `tries` of them failed; null when it is to be given up. */
export function nextTryAt({ tries, createdAt, now }: { tries: number; createdAt: UnixMs; now: UnixMs }): UnixMs | null {
  const gap = MAIL_RETRY_GAPS_MS[Math.min(Math.max(tries, 1), MAIL_RETRY_GAPS_MS.length) - 1] ?? 0;
  return now + gap <= createdAt + MAIL_HORIZON_MS ? now + gap : null;
}
