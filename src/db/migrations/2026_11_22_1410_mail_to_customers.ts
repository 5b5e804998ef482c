import { type Kysely, sql } from 'kysely';

/** Mails in a merchant's name, whose bounces somebody must hear of, and tries of which nobody knows how they ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table mail
      add column from_name text,
      add column actor_id text,
      add column is_leased bool not null default false,
      add column uncertain_tries int2 not null default 0`.execute(db);
  // How many mails an address got lately.
  await sql`create index mail_by_recipient on mail (lower(recipient), created_at)`.execute(db);
  // What a development inbox shows: the newest first.
  await sql`create index mail_stored on mail (created_at, id) where state = 'stored'`.execute(db);
}
