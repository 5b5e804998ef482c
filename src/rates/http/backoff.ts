import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { RetryableError } from '../../platform/errors.ts';

/** Blocks requests to one source after it has rate limited us. */
export interface Backoff {
  /** Throws a `RetryableError` RATE_SOURCE_RESTING during a pause. */
  requireRested(): void;
  /**
   * Call when the source rate limited a request; `requestedMs` is its requested pause, 0 for none.
   */
  rejected(requestedMs: number): void;
  /** Call when a request succeeded. */
  served(): void;
}

/** Minimum pause after the first rate limit; it doubles with each further one. */
const FIRST_PAUSE_MS = MINUTE_MS;
const MAX_OWN_PAUSE_MS = HOUR_MS;
/** Maximum pause, even if a source requests more. The longest bans (Binance) take up to 3 days. */
const MAX_PAUSE_MS = 3 * DAY_MS;

/** Pauses for the time the source requested, or longer with exponential backoff. */
export function createBackoff({ source, clock }: { readonly source: string; readonly clock: Clock }): Backoff {
  let rejections = 0;
  let restsUntil = 0;
  return {
    requireRested() {
      const leftMs = restsUntil - clock.now();
      if (leftMs <= 0) return;
      const seconds = Math.ceil(leftMs / 1_000);
      throw new RetryableError('RATE_SOURCE_RESTING', `${source} rate limited us; retrying in ${seconds} s`, {
        retryAfterMs: leftMs,
      });
    },
    rejected(requestedMs) {
      const ownMs = Math.min(FIRST_PAUSE_MS * 2 ** rejections, MAX_OWN_PAUSE_MS);
      restsUntil = clock.now() + Math.min(Math.max(requestedMs, ownMs), MAX_PAUSE_MS);
      rejections += 1;
    },
    served() {
      rejections = 0;
    },
  };
}
