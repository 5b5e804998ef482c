import { type Kysely, sql } from 'kysely';

/**
 * Redelivers messages dead-lettered because of a database server error automatically: from
 * `retry_at` on, with the number of retries. Without `retry_at`, an operator decides.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table dead_letter add column retry_at timestamptz, add column retries int4 not null default 0`.execute(db);
}
