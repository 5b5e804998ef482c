import { SECOND_MS, type UnixMs } from '../../../../machines/index.ts';
import type { Clock } from '../../../platform/clock.ts';

/** A lag of three blocks; an endpoint further behind is not used. */
export const SECOND_GRACE_MS = 36 * SECOND_MS;

/**
 * How long to wait for a second endpoint that lacks a block: it has usually just not received it
 * yet. One that stays behind is waited for once; a later lag is another one.
 */
export function createSecondGrace(clock: Clock) {
  let lag: { readonly since: UnixMs; readonly last: UnixMs; readonly height: number } | null = null;

  return {
    /** It lacks the block at that height: whether to wait for it. */
    isLeft(height: number): boolean {
      const now = clock.now();
      const same = lag !== null && now - lag.last < SECOND_GRACE_MS ? lag : null;
      lag = { since: same?.since ?? now, last: now, height: Math.max(height, same?.height ?? 0) };
      return now - lag.since < SECOND_GRACE_MS;
    },
    /** An answer about an older block does not show that it has caught up. */
    responded(height: number): void {
      if (lag !== null && height >= lag.height) lag = null;
    },
  };
}
