import { type Kysely, sql } from 'kysely';

/**
 * What was set aside because of an error of the database server is delivered again by itself: from
 * `retry_at` on, and how often so far. Without `retry_at`, operators decide.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table dead_letter add column retry_at timestamptz, add column retries int4 not null default 0`.execute(db);
}
