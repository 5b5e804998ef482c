import { type Kysely, sql } from 'kysely';

/** What a message is sent on behalf of goes beside it: the request, the merchant and the span that caused it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox_message add column trace text`.execute(db);
}
