import { type Kysely, sql } from 'kysely';

/** Which deposits a user has settled: later changes to them do not affect the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table stray_payment add column settled_at timestamptz`.execute(db);
  await sql`
    update stray_payment set settled_at = item.settled_at from attention_item as item
    where item.transaction_id = stray_payment.transaction_id and item.kind = 'unassigned_coins'
      and item.settled_by is not null and stray_payment.reason = 'too_many_outputs'
      and stray_payment.standing <> 'gone'`.execute(db);
}
