import type { Kysely } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { createPollLoop, type PollLoop } from '../../platform/poll-loop.ts';
import { findStranded, type OwedDelivery } from '../owed-deliveries.ts';

const SWEEP_EVERY_MS = 2_000;
const SWEEP_ROWS = 500;
/**
 * After a pause like this the database may have been away, and claims may have ended in the
 * meantime.
 */
const PAUSE_MS = 5_000;

/**
 * Hands over first attempts without a sender: their message was lost, or their process
 * died. Any number of processes may do so. At its start, and after an outage of the database, it
 * leaves senders time to renew their claims.
 */
export function startStrandedSweeper({
  db,
  log,
  settledAfterMs,
  passOn,
}: {
  readonly db: Kysely<Database>;
  readonly log: Log;
  readonly settledAfterMs: number;
  /** Must leave alone what this process still has in memory. */
  readonly passOn: (delivery: OwedDelivery) => Promise<void>;
}): PollLoop {
  const hasSettled = createSteadyCheck(settledAfterMs);
  const warn = (fields: object) => log.warn(fields, 'first webhook attempts without a sender could not be handed over');
  const loop = createPollLoop({
    async work(stopping) {
      const failures: unknown[] = [];
      for (let after: OwedDelivery | undefined, isFull = true; isFull && !stopping.aborted; ) {
        const stranded = await findStranded(db, { limit: SWEEP_ROWS, after });
        if (!hasSettled(performance.now())) return;
        const passed = await Promise.allSettled(stranded.map((delivery) => passOn(delivery)));
        failures.push(...passed.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])));
        after = stranded.at(-1);
        isFull = stranded.length === SWEEP_ROWS;
      }
      if (failures.length > 0) warn({ count: failures.length, reason: messageOf(failures[0]) });
    },
    everyMs: SWEEP_EVERY_MS,
    firstAfterMs: SWEEP_EVERY_MS,
    onFailure: (error) => warn({ reason: messageOf(error) }),
  });
  loop.start();
  return loop;
}

/**
 * Returns whether the database has responded for `settledAfterMs` without a long pause; to be
 * called at each of its responses, with a monotonic time (ms).
 */
export function createSteadyCheck(settledAfterMs: number): (now: number) => boolean {
  let reachedAt = -Infinity;
  let settledAt = 0;
  return (now) => {
    if (now - reachedAt > PAUSE_MS) settledAt = now + settledAfterMs;
    reachedAt = now;
    return now >= settledAt;
  };
}
