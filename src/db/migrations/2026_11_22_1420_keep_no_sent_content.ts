import { type Kysely, sql } from 'kysely';

/** Clears the content of final mail; mail that a server has accepted may still bounce. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A bounced mail keeps the time at which a server had accepted it.
  await sql`
    alter table mail
      drop constraint mail_check1,
      add constraint mail_sent_has_moment check (state <> 'sent' or sent_at is not null),
      add constraint mail_moment_means_sent check (sent_at is null or state in ('sent', 'failed'))`.execute(db);
  await sql`
    update mail set subject = '', text = '', html = '', headers = '{}' where state in ('sent', 'failed')`.execute(db);
}
