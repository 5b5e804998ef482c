import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../machines/index.ts';
import type { Clock } from '../../clock.ts';
import { RetryableError } from '../../errors.ts';

/** Keeps one source from being asked while it wants to be left alone. */
export interface Backoff {
  /** Throws a `RetryableError` RATE_SOURCE_RESTING while the pause lasts. */
  requireRested(): void;
  /** The source refused a request for coming too soon; `askedMs` is the pause it named, 0 for none. */
  refused(askedMs: number): void;
  /** The source served a request. */
  served(): void;
}

/** The pause after a first refusal that names none; it doubles with each further one. */
const FIRST_PAUSE_MS = MINUTE_MS;
const LONGEST_OWN_PAUSE_MS = HOUR_MS;
/** Binance bans for up to 3 days, the longest of all. A source that asks for more is asked again then. */
const LONGEST_PAUSE_MS = 3 * DAY_MS;

/** Waits for as long as the source asked, and longer each time when it refuses again. */
export function createBackoff({ source, clock }: { readonly source: string; readonly clock: Clock }): Backoff {
  let refusals = 0;
  let restsUntil = 0;
  return {
    requireRested() {
      const leftMs = restsUntil - clock.now();
      if (leftMs <= 0) return;
      const seconds = Math.ceil(leftMs / 1_000);
      throw new RetryableError(
        'RATE_SOURCE_RESTING',
        `${source} was asked too often; it is asked again in ${seconds} s`,
        {
          retryAfterMs: leftMs,
        },
      );
    },
    refused(askedMs) {
      const ownMs = Math.min(FIRST_PAUSE_MS * 2 ** refusals, LONGEST_OWN_PAUSE_MS);
      restsUntil = clock.now() + Math.min(Math.max(askedMs, ownMs), LONGEST_PAUSE_MS);
      refusals += 1;
    },
    served() {
      refusals = 0;
    },
  };
}
