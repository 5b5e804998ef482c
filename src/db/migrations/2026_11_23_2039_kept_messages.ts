import { type Kysely, sql } from 'kysely';

/** When the bus accepted a message whose row stays until a handler settles it; null for others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox_message add column published_at timestamptz`.execute(db);
}
