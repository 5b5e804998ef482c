import type { Kysely } from 'kysely';
import type { BalanceDropSink } from '../../chains/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { publishObservations } from '../../platform/engine/index.ts';
import { runInContext } from '../../platform/request-context.ts';
import { actorMessage, balanceDropCommand } from './chain-events.ts';
import { findWaiting } from './destinations.ts';
import { requireFencingToken } from './fencing.ts';

/**
 * Sends balance drops to the actors of the addresses. Resolves when the bus has accepted all of
 * them. Drops at addresses without a waiting payment are skipped: merchants may spend what they
 * received. Rejects with `WATCHER_FENCED`, sending nothing, when the watcher was replaced: its
 * successor has polled again and may have newer results.
 *
 * A poll finds drops of all payments, so they are sent outside the caller's request context.
 */
export function createBalanceDropSink({ db, bus }: { db: Kysely<Database>; bus: Bus }): BalanceDropSink {
  const send: BalanceDropSink = async (drops, { epoch }) => {
    const [first] = drops;
    if (first === undefined) return;
    const waiting = await findWaiting(db, drops);
    const messages = drops.flatMap((drop, index) => {
      const transactionId = waiting[index] ?? null;
      return transactionId === null ? [] : [actorMessage(balanceDropCommand(transactionId, drop))];
    });
    await publishObservations({ db, bus }, messages, (trx) =>
      requireFencingToken(trx, { network: first.network, epoch }),
    );
  };

  return (drops, options) => runInContext(null, () => send(drops, options));
}
