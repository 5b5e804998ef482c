import { GROWING, ID } from './storage.ts';

/** Webhook endpoints, events with their deliveries and attempts, and replays. */
export const webhooks: readonly string[] = [
  // The previous secret also signs until a rotation with overlap ends. gone_at is when the endpoint
  // answered 410, until it is disabled for that. paced_until is when max_per_second allows the next
  // attempt. warned_at is when its merchant was last warned that it fails, and warned_since when
  // those failures began; both are null when there is no open warning. provisioned is what the
  // provisioning file said of it when it was last applied.
  `create table webhook_endpoint (
    id ${ID} primary key,
    merchant_id ${ID} not null references merchant (id),
    url ${ID} not null,
    description text not null default '',
    events jsonb not null,
    modes jsonb not null default '["live", "test"]',
    sealed_secret text not null,
    secret_changed_at timestamptz not null default now(),
    previous_sealed_secret text,
    previous_secret_until timestamptz,
    enabled boolean not null default true,
    disabled_at timestamptz,
    disabled_because text check (disabled_because in ('merchant', 'failing', 'gone')),
    disables_itself boolean not null default false,
    disables_on_gone boolean not null default false,
    gone_at timestamptz,
    max_per_second int4 check (max_per_second between 1 and 1000),
    paced_until timestamptz,
    failing_since timestamptz,
    notices_sent int2 not null default 0,
    warned_at timestamptz,
    warned_since timestamptz,
    provisioned jsonb,
    created_at timestamptz not null default now(),
    deleted_at timestamptz,
    constraint webhook_endpoint_previous_secret_check
      check ((previous_sealed_secret is null) = (previous_secret_until is null)),
    constraint webhook_endpoint_warned_check check ((warned_at is null) = (warned_since is null))
  )`,
  // A deleted endpoint keeps its row for its log, and frees its URL.
  `create unique index webhook_endpoint_url on webhook_endpoint (merchant_id, url) where deleted_at is null`,

  // body holds the exact bytes that are sent.
  `create table webhook_event (
    id ${ID} primary key,
    merchant_id ${ID} not null,
    transaction_id ${ID},
    event ${ID} not null,
    mode ${ID} not null,
    is_test boolean not null default false,
    body text not null,
    created_at timestamptz not null
  )`,
  `create index webhook_event_transaction on webhook_event (transaction_id)`,
  `create index webhook_event_merchant on webhook_event (merchant_id, created_at, id)`,

  // claimed_by is the sender that has claimed the current attempt, so that no other makes it. An
  // owed delivery has no actor yet; until it is claimed, claimed_until is by when a sender should
  // have.
  `create table webhook_delivery (
    id ${ID} primary key,
    webhook_event_id ${ID} not null references webhook_event (id),
    endpoint_id ${ID} not null,
    event ${ID} not null,
    is_owed boolean not null default false,
    state ${ID} not null,
    attempt int4 not null,
    last_status int4,
    last_failure text,
    claimed_by text,
    claimed_attempt int4,
    claimed_until timestamptz,
    created_at timestamptz not null,
    ended_at timestamptz
  ) with (fillfactor = 70, ${GROWING})`,
  `create index webhook_delivery_event on webhook_delivery (webhook_event_id)`,
  `create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, created_at, id)`,
  // The event type never changes; together with the state, it makes every list of the log one index
  // range.
  `create index webhook_delivery_log on webhook_delivery (endpoint_id, event, state, created_at, id)`,

  // Owed deliveries that no sender has taken up. Claims leave it alone, so that they stay HOT
  // updates.
  `create index webhook_delivery_owed on webhook_delivery (created_at, id) where is_owed`,

  // Partitioned by month, so that old attempts are dropped whole.
  `create table webhook_attempt (
    delivery_id ${ID} not null,
    attempt int4 not null,
    started_at timestamptz not null,
    duration_ms int4 not null,
    is_probe boolean not null default false,
    status int4,
    failure text,
    failure_detail text,
    request_headers json,
    response_headers json,
    response_body text,
    is_response_cut boolean not null default false,
    peer_address text,
    dns_ms int4,
    connect_ms int4,
    tls_ms int4,
    first_byte_ms int4,
    primary key (delivery_id, attempt, started_at)
  ) partition by range (started_at)`,
  // Rows are inserted and deleted in time order.
  `create index webhook_attempt_started on webhook_attempt using brin (started_at)`,
  `create table webhook_attempt_default partition of webhook_attempt default`,
  `select make_month_partitions('webhook_attempt', now(), now() + interval '3 months')`,

  // pending holds the deliveries that the replay has yet to start.
  `create table webhook_replay (
    id ${ID} primary key,
    merchant_id ${ID} not null references merchant (id),
    endpoint_id ${ID} not null references webhook_endpoint (id),
    since timestamptz not null,
    until timestamptz not null,
    only_failed boolean not null default false,
    state ${ID} not null check (state in ('running', 'done', 'cancelled')),
    cursor_created_at timestamptz,
    cursor_event_id ${ID},
    pending jsonb,
    events_seen int8 not null default 0,
    events_sent int8 not null default 0,
    created_at timestamptz not null,
    ended_at timestamptz
  )`,
  `create unique index webhook_replay_running on webhook_replay (endpoint_id) where state = 'running'`,
  `create index webhook_replay_endpoint on webhook_replay (endpoint_id, created_at)`,
];
