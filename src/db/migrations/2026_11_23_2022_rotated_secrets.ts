import { type Kysely, sql } from 'kysely';

/**
 * The previous secret during a rotation with overlap, and until when it also signs. Both are set,
 * or neither.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table webhook_endpoint add column previous_sealed_secret text, add column previous_secret_until timestamptz,
      add constraint webhook_endpoint_previous_secret_check
        check ((previous_sealed_secret is null) = (previous_secret_until is null)) not valid`.execute(db);
}
