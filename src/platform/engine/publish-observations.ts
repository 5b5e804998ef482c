import type { Kysely, Transaction } from 'kysely';
import { MINUTE_MS } from '../../../machines/index.ts';
import type { Bus } from '../bus/index.ts';
import type { Database } from '../db/index.ts';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { createPollLoop, type PollLoop } from '../poll-loop.ts';
import {
  claimUnacknowledgedObservations,
  insertPendingObservations,
  type ObservationMessage,
} from './sql/pending-observations.ts';

export {
  findPendingObservations,
  type ObservationCommand,
  type ObservationMessage,
} from './sql/pending-observations.ts';

/**
 * Publishes pending observations: events that no gated timer of their actors may overtake. The
 * caller that moves a watermark stores the events it observed below it first: until the actor has
 * accepted the newest event of each topic, its gated timers are not due. See DESIGN.md for why the
 * order of the bus is not enough.
 *
 * Resolves when the bus has accepted every message; rejects like `Bus.publish` otherwise. Safe to
 * repeat. `guard` runs in the transaction that stores them; when it throws, nothing is stored and
 * nothing is published.
 */
export async function publishObservations(
  { db, bus }: { readonly db: Kysely<Database>; readonly bus: Bus },
  messages: readonly ObservationMessage[],
  guard?: (trx: Transaction<Database>) => Promise<void>,
): Promise<void> {
  if (messages.length === 0) return;
  if (guard === undefined) await insertPendingObservations(db, messages);
  else {
    await db.transaction().execute(async (trx) => {
      await guard(trx);
      await insertPendingObservations(trx, messages);
    });
  }
  await Promise.all(messages.map((message) => bus.publish(message)));
}

/**
 * Longer than a live broker takes to redeliver a message, and longer than its deduplication window.
 */
const REDELIVER_AFTER_MS = 5 * MINUTE_MS;
const POLL_EVERY_MS = 30_000;
const ROWS = 500;

/**
 * Redelivers pending observations that were not accepted in time: the broker has lost them, or the
 * process died before it could publish them. Any number of processes may run it; an event that was
 * only slow is a duplicate.
 */
export function createObservationRedelivery(deps: {
  readonly db: Kysely<Database>;
  readonly bus: Bus;
  readonly log: Log;
  readonly redeliverAfterMs?: number;
  readonly pollEveryMs?: number;
}): PollLoop {
  const { db, bus, log, redeliverAfterMs = REDELIVER_AFTER_MS, pollEveryMs = POLL_EVERY_MS } = deps;
  return createPollLoop({
    async work() {
      const unacknowledged = await claimUnacknowledgedObservations(db, { olderThanMs: redeliverAfterMs, limit: ROWS });
      if (unacknowledged.length === 0) return;
      log.warn({ events: unacknowledged.length }, 'pending observations were not acknowledged; redelivering them');
      // Not awaited: on the in-process bus `publish` takes as long as the handler. A failed one is
      // published again in a later round.
      for (const message of unacknowledged) void bus.publish(message).catch(() => {});
    },
    everyMs: pollEveryMs,
    firstAfterMs: pollEveryMs,
    onFailure: (error) =>
      log.warn({ reason: messageOf(error) }, 'pending observations could not be redelivered; retrying'),
  });
}
