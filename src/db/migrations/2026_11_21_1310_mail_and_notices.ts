import { type Kysely, sql } from 'kysely';

/** The mail queue, and notices to merchants about the health of their endpoints. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mail (
      id text primary key,
      merchant_id text references merchant (id),
      recipient text not null,
      subject text not null,
      text text not null,
      html text not null,
      headers jsonb not null default '{}',
      dedupe_key text not null unique,
      state text not null check (state in ('queued', 'stored', 'sent', 'failed')),
      tries int2 not null default 0,
      next_try_at timestamptz,
      last_error text,
      failed_because text check (failed_because in ('bounced', 'refused', 'gave_up')),
      created_at timestamptz not null,
      sent_at timestamptz,
      check ((state = 'queued') = (next_try_at is not null)),
      check ((state = 'sent') = (sent_at is not null)),
      check ((state = 'failed') = (failed_because is not null))
    )`.execute(db);
  await sql`create index mail_due on mail (next_try_at) where state = 'queued'`.execute(db);

  await sql`
    create table merchant_notice (
      id text primary key,
      merchant_id text not null references merchant (id),
      kind text not null,
      subject_id text not null,
      data jsonb not null,
      created_at timestamptz not null,
      read_at timestamptz
    )`.execute(db);
  await sql`create index merchant_notice_newest on merchant_notice (merchant_id, created_at, id)`.execute(db);

  await sql`
    alter table webhook_endpoint add column open_notice_id text references merchant_notice (id)`.execute(db);
}
