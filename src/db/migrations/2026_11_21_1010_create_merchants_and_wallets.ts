import { type Kysely, sql } from 'kysely';

/** Merchants with their keys, wallets with all derived addresses, and chain cursors. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table merchant (
      id text primary key,
      name text not null unique,
      email text not null,
      plan text not null,
      settings jsonb not null default '{}',
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table merchant_user (
      id text primary key,
      merchant_id text not null references merchant (id),
      email text not null unique,
      password_hash text not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table api_key (
      id text primary key,
      merchant_id text not null references merchant (id),
      kind text not null check (kind in ('secret', 'publishable')),
      mode text not null check (mode in ('live', 'test')),
      key_hash text not null unique,
      hint text not null,
      created_at timestamptz not null,
      revoked_at timestamptz
    )`.execute(db);
  await sql`create index api_key_merchant on api_key (merchant_id)`.execute(db);

  await sql`
    create table derivation_key (
      id text primary key,
      network text not null,
      fingerprint text not null unique,
      extended_public_key text not null,
      address_type text not null,
      next_index int8 not null default 0 check (next_index between 0 and 2147483648),
      created_at timestamptz not null default now()
    ) with (fillfactor = 70)`.execute(db);
  await sql`
    create table wallet (
      id text primary key,
      merchant_id text references merchant (id),
      crypto text not null,
      network text not null,
      derivation_key_id text not null references derivation_key (id),
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create unique index wallet_of_merchant on wallet (coalesce(merchant_id, ''), crypto, network)`.execute(db);

  await sql`
    create table address (
      network text not null,
      address text not null,
      watch_key text not null,
      derivation_key_id text not null references derivation_key (id),
      derivation_index int8 not null,
      transaction_id text,
      taken_at timestamptz,
      released_at timestamptz,
      inserted_xid xid8 not null default pg_current_xact_id(),
      primary key (network, address),
      unique (derivation_key_id, derivation_index)
    ) with (fillfactor = 80)`.execute(db);
  await sql`
    create index address_free on address (derivation_key_id, derivation_index)
    where taken_at is null`.execute(db);
  await sql`create index address_watch_key on address (network, watch_key)`.execute(db);
  await sql`create index address_inserted on address (network, inserted_xid)`.execute(db);
  await sql`create index address_transaction on address (transaction_id) where transaction_id is not null`.execute(db);

  await sql`
    create table chain_cursor (
      network text primary key,
      epoch int8 not null,
      height int8,
      block_hash text,
      tip_height int8,
      looked_until timestamptz,
      unsettled jsonb not null default '[]'
    ) with (fillfactor = 50)`.execute(db);
  await sql`
    create table chain_block (
      network text not null,
      height int8 not null,
      block_hash text not null,
      outputs jsonb not null,
      primary key (network, height)
    )`.execute(db);
}
