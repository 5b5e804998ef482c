import { type Kysely, sql } from 'kysely';

/**
 * Stores the request context of a message next to it: the request, merchant and span that caused
 * it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox_message add column trace text`.execute(db);
}
