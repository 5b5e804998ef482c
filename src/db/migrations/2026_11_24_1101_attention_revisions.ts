import { type Kysely, sql } from 'kysely';

/**
 * Tells apart different coins of the same sum, so that a person settles only those that were shown.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table attention_item add column revision int8 not null default 1`.execute(db);
}
