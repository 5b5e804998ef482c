import { type Kysely, sql } from 'kysely';

/** The owner of the address chooses the password with the link of the mail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sign_up alter column password_hash drop not null`.execute(db);
}
