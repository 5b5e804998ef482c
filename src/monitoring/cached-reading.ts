import { LATE, within } from '../platform/within.ts';

/** A reading that is expensive to take, cached for a short time. */
export interface CachedReading<T> {
  /** The reading, at most `keepMs` old; null when there was none in time. Never rejects. */
  read(): Promise<T | null>;
}

export interface CachedReadingDeps<T> {
  readonly ask: () => Promise<T>;
  /** How long a result is cached, a missing one included. */
  readonly keepMs: number;
  /** A result that takes longer counts as missing. */
  readonly timeoutMs: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * A query without a result is abandoned after this time and sent again; no statement of
 * this service runs as long.
 */
export const GIVE_UP_AFTER_MS = 30_000;

/** One query at a time, regardless of the number of callers and calls. */
export function createCachedReading<T>(deps: CachedReadingDeps<T>): CachedReading<T> {
  const { ask, keepMs, timeoutMs, now = () => performance.now() } = deps;
  let kept: { readonly response: T | null; readonly until: number } | null = null;
  let asking: { readonly response: Promise<T | null>; readonly since: number } | null = null;

  function question(): Promise<T | null> {
    if (asking !== null && now() - asking.since < GIVE_UP_AFTER_MS) return asking.response;
    const response = Promise.resolve()
      .then(ask)
      // A failure counts as no result: callers need the state, not the reason.
      .catch(() => null)
      .then((responded) => {
        if (asking === mine) {
          asking = null;
          kept = { response: responded, until: now() + keepMs };
        }
        return responded;
      });
    const mine = { response, since: now() };
    asking = mine;
    return response;
  }

  return {
    async read() {
      if (kept !== null && now() < kept.until) return kept.response;
      const response = await within({ ms: timeoutMs }, question);
      return response === LATE ? null : response;
    },
  };
}
