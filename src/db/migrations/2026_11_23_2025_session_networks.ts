import { type Kysely, sql } from 'kysely';

/**
 * The network a session was started from, hashed: attempts from networks that a login is known at
 * are counted apart.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table session add column network_hash text`.execute(db);
}
