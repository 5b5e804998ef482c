import { type Kysely, sql } from 'kysely';

/** The password is chosen with the link of the mail, by whoever owns the address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sign_up alter column password_hash drop not null`.execute(db);
}
