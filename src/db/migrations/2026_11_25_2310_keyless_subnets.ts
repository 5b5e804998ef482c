import { type Kysely, sql } from 'kysely';

/**
 * Hash of the subnet that created a keyless payment: each subnet may have only a share of a key's
 * open payments. `transaction_open_keyless` finds the few rows to count.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table transaction add column client_subnet_hash text`.execute(db);
}
