import { type Kysely, sql } from 'kysely';

/**
 * Mail in a merchant's name, actors that receive its bounces, and attempts with unknown outcome.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table mail
      add column from_name text,
      add column actor_id text,
      add column is_leased bool not null default false,
      add column uncertain_tries int2 not null default 0`.execute(db);
  // Counts recent mail to an address.
  await sql`create index mail_by_recipient on mail (lower(recipient), created_at)`.execute(db);
  // The development inbox, newest first.
  await sql`create index mail_stored on mail (created_at, id) where state = 'stored'`.execute(db);
}
