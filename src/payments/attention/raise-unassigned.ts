import { sql, type Transaction } from 'kysely';
import { type Database, unnestRows } from '../../platform/db/index.ts';

interface UnassignedChange {
  readonly transaction_id: string | null;
  readonly reason: string;
  readonly change_base_units: bigint;
}

/**
 * Maintains the attention item of coins beyond what a payment accepts: the sum of the coins that no
 * user has settled, increased and decreased with them. Incremented instead of recounted, so that
 * cost stays linear in their number; the lock on their address serializes concurrent updates.
 * Returns the payments that never had such an item before.
 */
export async function raiseUnassigned(
  trx: Transaction<Database>,
  changes: readonly UnassignedChange[],
): Promise<ReadonlySet<string>> {
  const sums = new Map<string, bigint>();
  for (const { transaction_id: id, reason, change_base_units: change } of changes) {
    if (reason !== 'too_many_outputs' || id === null || change === 0n) continue;
    sums.set(id, (sums.get(id) ?? 0n) + change);
  }
  if (sums.size === 0) return new Set();
  const changed = [...sums].map(([transaction_id, sum]) => ({ transaction_id, base_units: sum.toString() }));
  const reported = unnestRows('reported', { text: ['transaction_id'], numeric: ['base_units'] }, changed);
  const { rows: fresh } = await sql<{ transaction_id: string }>`
    insert into attention_item (transaction_id, kind, merchant_id, mode, base_units, output_ids, raised_at, settled_at)
    select transaction.id, 'unassigned_coins', merchant_id, mode, 0, '[]', now(), now()
    from ${reported} join transaction on transaction.id = reported.transaction_id
    on conflict (transaction_id, kind) do nothing
    returning transaction_id`.execute(trx);
  // A settled item reopens only when more coins arrive, and then shows only the new ones.
  await sql`
    update attention_item set base_units = next.base_units, revision = attention_item.revision + 1,
      raised_at = case when attention_item.settled_at is null then attention_item.raised_at else now() end,
      settled_at = case when next.base_units = 0 then now() end, settled_by = null, note = null
    from ${reported}
    cross join lateral (
      select greatest(0, reported.base_units + case when item.settled_at is null then item.base_units else 0 end) as base_units
      from attention_item as item where item.transaction_id = reported.transaction_id and item.kind = 'unassigned_coins'
    ) as next
    where attention_item.transaction_id = reported.transaction_id and attention_item.kind = 'unassigned_coins'
      and (reported.base_units > 0 or attention_item.settled_at is null)`.execute(trx);
  return new Set(fresh.map((row) => row.transaction_id));
}
