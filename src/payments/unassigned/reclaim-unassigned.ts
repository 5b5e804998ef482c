import { sql, type Transaction } from 'kysely';
import { type Database, unnestRows } from '../../platform/db/index.ts';
import { RetryableError } from '../../platform/errors.ts';
import { raiseUnassigned } from '../attention/raise-unassigned.ts';
import type { AssignedObservation } from '../watching/destinations.ts';

/**
 * Deletes the rows of outputs that a payment had no room for, in the commit that stores their
 * pending observations: coins are either unassigned or counted, never both. Throws a
 * `RetryableError` `SETTLED_MEANWHILE` when a user has settled one since it was assigned a slot:
 * the next poll finds it settled.
 */
export async function reclaimUnassigned(
  trx: Transaction<Database>,
  assigned: readonly AssignedObservation[],
): Promise<void> {
  const back = assigned.filter(({ wasRejected }) => wasRejected === true);
  if (back.length === 0) return;
  const taken = back.map(({ transactionId, observation }) => {
    return { transaction_id: transactionId, output_id: observation.outputId };
  });
  const ids = taken.map(({ transaction_id }) => transaction_id);
  // Acquires the same lock, in the same order, as `recordUnassigned` and `settleAttention`.
  await sql`
    select from transaction
    join address on address.network = transaction.network and address.address = transaction.deposit_address
    where transaction.id = any(${ids}::text[]) order by address.network, address.address for update of address`.execute(
    trx,
  );
  const { rows } = await sql<Returned>`
    delete from unassigned_payment
    using ${unnestRows('taken', { text: ['transaction_id', 'output_id'] }, taken)}
    where unassigned_payment.transaction_id = taken.transaction_id and unassigned_payment.output_id = taken.output_id
      and reason = 'too_many_outputs'
    returning unassigned_payment.transaction_id, reason, settled_at is not null as is_settled,
      case when status = 'gone' then 0 else -amount_base_units end as change_base_units
  `.execute(trx);
  if (rows.some((row) => row.is_settled)) {
    throw new RetryableError('SETTLED_MEANWHILE', 'a user settled coins that were about to be counted');
  }
  await raiseUnassigned(trx, rows);
}

// Helpers

interface Returned {
  transaction_id: string;
  reason: string;
  is_settled: boolean;
  change_base_units: bigint;
}
