import { type Kysely, sql } from 'kysely';

/** What watching several kinds of chains from several processes needs in addition to a cursor. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table chain_cursor
      add column last_error text,
      add column last_error_at timestamptz,
      add column warnings jsonb not null default '[]',
      add column unwatched_assets jsonb not null default '[]',
      add column reported_at timestamptz`.execute(db);

  await sql`
    create table chain_lease (
      network text primary key,
      holder text not null,
      expires_at timestamptz not null
    ) with (fillfactor = 50)`.execute(db);

  await sql`
    create table account_balance (
      network text not null,
      watch_key text not null,
      asset text not null,
      expected_base_units numeric(78, 0) not null,
      primary key (network, watch_key, asset)
    ) with (fillfactor = 70)`.execute(db);
  await sql`
    create index transaction_open_account on transaction (network, status, expires_at)
    where status in ('pending', 'partial', 'awaiting_confirmation', 'expired')`.execute(db);

  await sql`
    create table stray_payment (
      network text not null,
      output_id text not null,
      asset text not null,
      address text not null,
      transaction_id text,
      reason text not null check (reason in ('unassigned_address', 'monitoring_ended', 'other_asset')),
      txid text,
      amount_base_units numeric(78, 0) not null,
      standing text not null,
      height int8,
      chain_order int8 not null,
      first_seen_at timestamptz not null,
      primary key (network, output_id)
    ) with (fillfactor = 70)`.execute(db);
  await sql`create index stray_payment_seen on stray_payment (first_seen_at)`.execute(db);

  await sql`alter table address add column vetted_at timestamptz`.execute(db);
  await sql`
    create index address_unvetted on address (network)
    where vetted_at is null and taken_at is null`.execute(db);
}
