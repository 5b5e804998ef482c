import { type Kysely, sql } from 'kysely';

/**
 * Distinguishes different coins with the same total, so that a user settles only those that were
 * displayed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table attention_item add column revision int8 not null default 1`.execute(db);
}
