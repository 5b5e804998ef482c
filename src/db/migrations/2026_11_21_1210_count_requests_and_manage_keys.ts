import { type Kysely, sql } from 'kysely';

/**
 * Request counts per key and address, merchants' settings of a key, and an audit log of key
 * changes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Unlogged: every request writes here, and a server crash loses at most an hour of counts. So
  // counting writes no WAL and waits for no disk.
  await sql`
    create unlogged table request_count (
      subject text primary key,
      minute int8 not null,
      hour int8 not null,
      in_minute int8 not null,
      in_hour int8 not null,
      per_minute int8 not null,
      per_hour int8 not null,
      admitted int8 not null
    ) with (fillfactor = 50)`.execute(db);
  await sql`create index request_count_hour on request_count (hour)`.execute(db);

  await sql`
    alter table api_key
      add column name text not null default '',
      add column allowed_cidrs text[] not null default '{}'
        check (kind = 'secret' or allowed_cidrs = '{}'),
      add column one_open_payment_per_ip boolean not null default false,
      add column retires_at timestamptz,
      add column last_used_at timestamptz`.execute(db);

  await sql`
    create table audit_entry (
      id int8 generated always as identity primary key,
      merchant_id text not null references merchant (id),
      who text not null,
      what text not null,
      subject_id text not null,
      details jsonb not null default '{}',
      occurred_at timestamptz not null
    )`.execute(db);
  await sql`create index audit_entry_merchant on audit_entry (merchant_id, id)`.execute(db);
}
