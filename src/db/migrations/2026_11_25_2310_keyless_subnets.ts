import { type Kysely, sql } from 'kysely';

/**
 * Which subnet a keyless payment was opened from, as a hash: clients of one subnet have a share
 * of what a key may have open. `transaction_open_keyless` finds the few rows that are counted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table transaction add column client_subnet_hash text`.execute(db);
}
