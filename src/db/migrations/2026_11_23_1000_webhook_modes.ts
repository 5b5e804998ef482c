import { type Kysely, sql } from 'kysely';

/**
 * Test and live events are told apart. Endpoints that exist keep receiving both. An event without a mode was stored by the version
 * before, and goes only to endpoints of both modes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_endpoint add column modes jsonb not null default '["live", "test"]'`.execute(db);
  await sql`alter table webhook_event add column mode text`.execute(db);
}
