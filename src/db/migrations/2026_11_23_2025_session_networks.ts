import { type Kysely, sql } from 'kysely';

/**
 * Hash of the network a session was started from: attempts from a login's known networks are
 * counted separately.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table session add column network_hash text`.execute(db);
}
