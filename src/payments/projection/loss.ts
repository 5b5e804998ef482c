import { sql } from 'kysely';
import {
  balanceBaseUnits,
  confirmedLeftBaseUnits,
  leftBaseUnits,
  staysPaidWithBaseUnits,
  type TransactionContext,
} from '../../../machines/index.ts';

/**
 * What became of the coins that a payment was completed with, where they no longer pay it: `gone`
 * from the network, or `unconfirmed` again. It stays `completed`, because the shop was notified of
 * it.
 */
export type Loss = 'unconfirmed' | 'gone';

/** Null when what is left pays it. A merchant may have accepted less, and unconfirmed coins. */
export function lossOf(context: TransactionContext): Loss | null {
  if (context.completedAt === null) return null;
  const pays = staysPaidWithBaseUnits(context);
  if (leftBaseUnits(context) < pays) return 'gone';
  return context.completedBy === 'chain' && confirmedLeftBaseUnits(context) < pays ? 'unconfirmed' : null;
}

/** Base units that a completed payment lacks since its coins are gone; 0 when it lacks none. */
export function lostBaseUnits(context: TransactionContext): bigint {
  const balance = balanceBaseUnits(context);
  if (balance >= staysPaidWithBaseUnits(context)) return 0n;
  const due = BigInt(context.dueBaseUnits);
  const settled = BigInt(context.settledBaseUnits ?? due);
  return (settled < due ? settled : due) - balance;
}

/** `gone_settled`: gone, and a user has marked the attention item about it as settled. */
export type ShownLoss = Loss | 'gone_settled';

/**
 * SQL for the loss of a `transaction`. Coins that go after the window, before they are confirmed,
 * leave it awaiting confirmation: only this timer shows that too few are left. Reads more than the
 * row only where coins are gone, or being confirmed.
 */
export const SHOWN_LOSS = sql<ShownLoss | null>`case
  when transaction.status = 'awaiting_confirmation' then case
    when exists (select from timer where actor_id = transaction.id and name = 'loss_settled') then 'gone' end
  when transaction.loss is distinct from 'gone' then transaction.loss
  when exists (
    select from attention_item
    where transaction_id = transaction.id and kind = 'coins_lost' and settled_at is not null
  ) then 'gone_settled'
  else transaction.loss end`;
