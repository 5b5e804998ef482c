import { type Kysely, sql } from 'kysely';

/** When the user of a session last re-entered the password; null since signing in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table session add column password_given_at timestamptz`.execute(db);
}
