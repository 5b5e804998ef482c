import { type Kysely, sql } from 'kysely';

/**
 * Partitions the log of webhook attempts by month, so that old ones are dropped whole; and indexes
 * for other deletions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Moves all attempts, which may be many.
  await sql`set local statement_timeout = 0`.execute(db);
  await sql`alter table webhook_attempt rename to former_webhook_attempt`.execute(db);
  await sql`alter table former_webhook_attempt drop constraint webhook_attempt_pkey`.execute(db);
  await sql`drop index webhook_attempt_started`.execute(db);
  await sql`
    create table webhook_attempt (
      delivery_id text not null,
      attempt int4 not null,
      started_at timestamptz not null,
      duration_ms int4 not null,
      status int4,
      failure text,
      failure_detail text,
      is_probe boolean not null default false,
      request_headers jsonb,
      response_headers jsonb,
      response_body text,
      is_response_cut boolean not null default false,
      peer_address text,
      dns_ms int4,
      connect_ms int4,
      tls_ms int4,
      first_byte_ms int4,
      primary key (delivery_id, attempt, started_at)
    ) partition by range (started_at)`.execute(db);
  // Rows are inserted and deleted in time order.
  await sql`create index webhook_attempt_started on webhook_attempt using brin (started_at)`.execute(db);
  await sql`create table webhook_attempt_default partition of webhook_attempt default`.execute(db);
  await sql`
    select make_month_partitions('webhook_attempt', coalesce((select min(started_at) from former_webhook_attempt), now()),
      now() + interval '3 months')`.execute(db);
  await sql`
    insert into webhook_attempt (delivery_id, attempt, started_at, duration_ms, status, failure, failure_detail, is_probe,
      request_headers, response_headers, response_body, is_response_cut, peer_address, dns_ms, connect_ms, tls_ms,
      first_byte_ms)
    select delivery_id, attempt, started_at, duration_ms, status, failure, failure_detail, is_probe, request_headers,
      response_headers, response_body, is_response_cut, peer_address, dns_ms, connect_ms, tls_ms, first_byte_ms
    from former_webhook_attempt order by started_at`.execute(db);
  await sql`drop table former_webhook_attempt`.execute(db);

  // Finished rows, oldest first.
  await sql`create index mail_over on mail (created_at, id) where state <> 'queued'`.execute(db);
  await sql`
    create index dead_letter_resolved on dead_letter (resolved_at) where resolved_at is not null`.execute(db);
}
