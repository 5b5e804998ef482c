import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/index.ts';
import { raiseUnassigned } from './attention/raise-unassigned.ts';
import type { Owned } from './destinations.ts';

/**
 * Forgets that outputs were recorded as too many, in the commit that announces them to their
 * payments: coins are always one of both. What a person settled is not in the sum that is shown.
 */
export async function takeBack(trx: Transaction<Database>, owned: readonly Owned[]): Promise<void> {
  const back = owned.filter(({ wasTurnedAway }) => wasTurnedAway === true);
  if (back.length === 0) return;
  const ids = back.map(({ transactionId }) => transactionId);
  // As whoever records such outputs, or settles them, does first.
  await sql`
    select from address where transaction_id = any(${ids}::text[]) order by network, address for update`.execute(trx);
  const { rows } = await sql<{ transaction_id: string; reason: string; change_base_units: bigint }>`
    delete from stray_payment
    using unnest(${ids}::text[], ${back.map(({ observation }) => observation.outputId)}::text[])
      as taken (transaction_id, output_id)
    where stray_payment.transaction_id = taken.transaction_id and stray_payment.output_id = taken.output_id
      and reason = 'too_many_outputs'
    returning stray_payment.transaction_id, reason,
      case when standing = 'gone' or settled_at is not null then 0 else -amount_base_units end as change_base_units
  `.execute(trx);
  await raiseUnassigned(trx, rows);
}
