import { type Kysely, sql } from 'kysely';

/** Read models of merchants: transactions with payments, and webhook events with deliveries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table transaction (
      id text primary key,
      merchant_id text not null,
      mode text not null,
      type text not null,
      status text not null,
      exception text,
      crypto text not null,
      network text not null,
      deposit_address text not null,
      due_base_units numeric(78, 0) not null,
      paid_base_units numeric(78, 0) not null,
      amount_crypto text not null,
      amount_fiat text not null,
      amount_usd text not null,
      currency_fiat text not null,
      fiat_to_usd_rate text not null,
      exchange_rate text not null,
      rate_sources jsonb not null,
      confirmations_required int4 not null,
      order_id text,
      customer_email text,
      items jsonb,
      metadata jsonb,
      success_url text,
      cancel_url text,
      idempotency_key text,
      request_hash text,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      expires_at timestamptz not null,
      completed_at timestamptz,
      completed_by text
    ) with (fillfactor = 70)`.execute(db);
  await sql`
    create index transaction_listing on transaction (merchant_id, mode, created_at desc, id desc)`.execute(db);
  await sql`
    create unique index transaction_idempotency on transaction (merchant_id, mode, idempotency_key)
    where idempotency_key is not null`.execute(db);

  await sql`
    create table payment (
      transaction_id text not null,
      output_id text not null,
      network text not null,
      txid text,
      amount_base_units numeric(78, 0) not null,
      presence text not null,
      status text not null,
      height int8,
      block_hash text,
      first_seen_at timestamptz not null,
      confirmed_at timestamptz,
      primary key (transaction_id, output_id)
    ) with (fillfactor = 70)`.execute(db);
  await sql`create index payment_txid on payment (txid)`.execute(db);

  await sql`
    create table operator_alert (
      id int8 generated always as identity primary key,
      actor_id text,
      alert text not null,
      detail text not null,
      created_at timestamptz not null default now(),
      resolved_at timestamptz
    )`.execute(db);

  await sql`
    create table webhook_endpoint (
      id text primary key,
      merchant_id text not null references merchant (id),
      url text not null,
      events jsonb not null,
      sealed_secret text not null,
      enabled boolean not null default true,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create unique index webhook_endpoint_url on webhook_endpoint (merchant_id, url)`.execute(db);
  await sql`
    create table webhook_event (
      id text primary key,
      merchant_id text not null,
      transaction_id text,
      event text not null,
      body text not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index webhook_event_transaction on webhook_event (transaction_id)`.execute(db);
  await sql`
    create table webhook_delivery (
      id text primary key,
      webhook_event_id text not null references webhook_event (id),
      endpoint_id text not null,
      state text not null,
      attempt int4 not null,
      last_status int4,
      last_failure text,
      created_at timestamptz not null,
      ended_at timestamptz
    ) with (fillfactor = 70)`.execute(db);
  await sql`create index webhook_delivery_event on webhook_delivery (webhook_event_id)`.execute(db);
  await sql`
    create table webhook_attempt (
      delivery_id text not null,
      attempt int4 not null,
      started_at timestamptz not null,
      duration_ms int4 not null,
      status int4,
      failure text,
      failure_detail text,
      primary key (delivery_id, attempt, started_at)
    )`.execute(db);
}
