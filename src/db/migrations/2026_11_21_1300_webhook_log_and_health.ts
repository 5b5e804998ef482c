import { type Kysely, sql } from 'kysely';

/** Details of every attempt, merchants' settings of an endpoint, and bulk replays. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table webhook_endpoint
      add column description text not null default '',
      add column secret_changed_at timestamptz not null default now(),
      add column disabled_at timestamptz,
      add column disabled_because text check (disabled_because in ('merchant', 'failing')),
      add column deleted_at timestamptz,
      add column disables_itself boolean not null default false,
      add column failing_since timestamptz,
      add column notices_sent int2 not null default 0`.execute(db);
  await sql`update webhook_endpoint set disabled_at = now(), disabled_because = 'merchant' where not enabled`.execute(
    db,
  );
  // A deleted endpoint keeps its row for its log, and frees its URL.
  await sql`drop index webhook_endpoint_url`.execute(db);
  await sql`
    create unique index webhook_endpoint_url on webhook_endpoint (merchant_id, url) where deleted_at is null`.execute(
    db,
  );
  await sql`create index webhook_endpoint_failing on webhook_endpoint (failing_since) where failing_since is not null`.execute(
    db,
  );

  await sql`alter table webhook_event add column is_test boolean not null default false`.execute(db);
  await sql`create index webhook_event_merchant on webhook_event (merchant_id, created_at, id)`.execute(db);
  await sql`create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, created_at, id)`.execute(db);

  await sql`
    alter table webhook_attempt
      add column is_probe boolean not null default false,
      add column request_headers jsonb,
      add column response_headers jsonb,
      add column response_body text,
      add column is_response_cut boolean not null default false,
      add column peer_address text,
      add column dns_ms int4,
      add column connect_ms int4,
      add column tls_ms int4,
      add column first_byte_ms int4`.execute(db);
  // Rows are inserted and deleted in time order.
  await sql`create index webhook_attempt_started on webhook_attempt using brin (started_at)`.execute(db);

  await sql`
    create table webhook_replay (
      id text primary key,
      merchant_id text not null references merchant (id),
      endpoint_id text not null references webhook_endpoint (id),
      since timestamptz not null,
      until timestamptz not null,
      state text not null check (state in ('running', 'done', 'cancelled')),
      cursor_created_at timestamptz,
      cursor_event_id text,
      events_seen int8 not null default 0,
      events_sent int8 not null default 0,
      created_at timestamptz not null,
      ended_at timestamptz
    )`.execute(db);
  await sql`create unique index webhook_replay_running on webhook_replay (endpoint_id) where state = 'running'`.execute(
    db,
  );
  await sql`create index webhook_replay_endpoint on webhook_replay (endpoint_id, created_at)`.execute(db);
}
