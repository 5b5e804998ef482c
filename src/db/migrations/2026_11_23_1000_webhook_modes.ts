import { type Kysely, sql } from 'kysely';

/**
 * Distinguishes test and live events. Existing endpoints keep receiving both. An event without a
 * mode was stored by the previous version, and is sent only to endpoints of both modes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_endpoint add column modes jsonb not null default '["live", "test"]'`.execute(db);
  await sql`alter table webhook_event add column mode text`.execute(db);
}
