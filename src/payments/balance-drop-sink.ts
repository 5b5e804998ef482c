import type { Kysely } from 'kysely';
import type { Bus } from '../bus/index.ts';
import type { BalanceDropSink } from '../chains/index.ts';
import type { Database } from '../db/index.ts';
import { announce } from '../engine/index.ts';
import { inWork } from '../work-context.ts';
import { actorMessage, balanceDropCommand } from './chain-events.ts';
import { findWaiting } from './destinations.ts';
import { holdTurn } from './watching/turn.ts';

/**
 * Carries drops of balances to the actors of the addresses. Resolves when the bus has taken all of them. A drop that no payment
 * waits behind is nobody's concern: what merchants do with money they have received is theirs. Rejects with `WATCHER_FENCED`, and
 * tells nobody, when the watcher was replaced: its successor has looked again and may know better.
 *
 * A look finds drops for everybody, so telling them is not the work of whoever has asked for the look.
 */
export function createBalanceDropSink({ db, bus }: { db: Kysely<Database>; bus: Bus }): BalanceDropSink {
  const carry: BalanceDropSink = async (drops, { epoch }) => {
    const [first] = drops;
    if (first === undefined) return;
    const waiting = await findWaiting(db, drops);
    const messages = drops.flatMap((drop, place) => {
      const transactionId = waiting[place] ?? null;
      return transactionId === null ? [] : [actorMessage(balanceDropCommand(transactionId, drop))];
    });
    await announce({ db, bus }, messages, (trx) => holdTurn(trx, { network: first.network, epoch }));
  };

  return (drops, telling) => inWork(null, () => carry(drops, telling));
}
