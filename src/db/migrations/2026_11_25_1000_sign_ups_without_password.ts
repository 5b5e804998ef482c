import { type Kysely, sql } from 'kysely';

/** The owner of the e-mail address sets the password through the link in the mail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sign_up alter column password_hash drop not null`.execute(db);
}
