import { type Kysely, sql } from 'kysely';

/**
 * The publishable key that created a payment, to limit how many are open at once, and the browser.
 * Both are cleared with `client_hash`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table transaction add column opened_by_key text, add column shopper_hash text`.execute(db);
  await sql`
    create index transaction_open_keyless on transaction (opened_by_key)
    where opened_by_key is not null and status = 'pending'`.execute(db);
}
