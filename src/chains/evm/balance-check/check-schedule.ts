import { MINUTE_MS, SECOND_MS, type UnixMs } from '../../../../machines/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { messageOf } from '../../../platform/errors.ts';
import type { WatchedGroup } from './check-watched.ts';

/**
 * Schedules the comparison of watched accounts: one group a minute, one in every poll while more
 * are due, and a pause after a failure. A failure does not fail the poll, which is already saved.
 */
export interface CheckSchedule {
  /**
   * Runs `check` when it is due. Null when not due, nothing to compare, or failed. Never rejects.
   */
  runIfDue(check: () => Promise<WatchedGroup | null>): Promise<WatchedGroup | null>;
  /**
   * After a reorganisation the next check does not wait until it is due, nor after a failure, until
   * a group was compared or a check is over: coins were reported as gone that may be in another
   * block.
   */
  makeDue(): void;
  /** A sentence for operators on what to fix; null while the check works. */
  warning(): string | null;
}

/** Pause between two groups, unless the last one was full. */
const CHECK_EVERY_MS = MINUTE_MS;
const FIRST_PAUSE_MS = 30 * SECOND_MS;
const MAX_PAUSE_MS = 10 * MINUTE_MS;

export function createCheckSchedule(clock: Clock, everyMs = CHECK_EVERY_MS): CheckSchedule {
  let nextAt: UnixMs = Number.NEGATIVE_INFINITY;
  let isDue = false;
  let dueUntil: UnixMs = Number.NEGATIVE_INFINITY;
  let failure: { readonly reason: string; readonly pauseMs: number } | null = null;

  return {
    makeDue() {
      isDue = true;
    },
    async runIfDue(check) {
      const now = clock.now();
      if (isDue) dueUntil = now + everyMs;
      isDue = false;
      if (now < nextAt && now >= dueUntil) return null;
      try {
        const group = await check();
        failure = null;
        if (group !== null) dueUntil = Number.NEGATIVE_INFINITY;
        nextAt = group?.isFull === true ? Number.NEGATIVE_INFINITY : clock.now() + everyMs;
        return group;
      } catch (error) {
        const pauseMs = failure === null ? FIRST_PAUSE_MS : Math.min(MAX_PAUSE_MS, 2 * failure.pauseMs);
        failure = { reason: messageOf(error), pauseMs };
        nextAt = clock.now() + pauseMs;
        return null;
      }
    },
    warning: () =>
      failure === null
        ? null
        : `Balances of watched addresses cannot be compared (${failure.reason}): coins that contracts send to payments ` +
          'that are no longer open are found once this is fixed. Open payments are not affected.',
  };
}
