import { type Kysely, sql } from 'kysely';

/**
 * Which network a keyless payment was opened from, as a hash: clients of one network have a share
 * of what a key may have open. `transaction_open_keyless` finds the few rows that are counted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table transaction add column opener_network_hash text`.execute(db);
}
