import { type Kysely, sql } from 'kysely';

/**
 * Outputs beyond the maximum per payment are recorded as unassigned deposits, to be resolved by a
 * person.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table stray_payment drop constraint stray_payment_reason_check,
      add constraint stray_payment_reason_check
        check (reason in ('unassigned_address', 'monitoring_ended', 'other_asset', 'too_many_outputs')) not valid`.execute(
    db,
  );
  await sql`
    alter table attention_item drop constraint attention_item_kind_check,
      add constraint attention_item_kind_check check (kind in (
        'paid_late', 'needs_review', 'underpaid', 'overpaid', 'coins_on_closed', 'unassigned_coins'
      )) not valid`.execute(db);
}
