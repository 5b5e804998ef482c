import { type Kysely, sql } from 'kysely';

/** What is over holds no content any more, and a mail that a server has taken may still come back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // That a bounced mail was taken once, and when, stays known.
  await sql`
    alter table mail
      drop constraint mail_check1,
      add constraint mail_sent_has_moment check (state <> 'sent' or sent_at is not null),
      add constraint mail_moment_means_sent check (sent_at is null or state in ('sent', 'failed'))`.execute(db);
  await sql`
    update mail set subject = '', text = '', html = '', headers = '{}' where state in ('sent', 'failed')`.execute(db);
}
