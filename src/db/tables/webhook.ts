import type { Generated } from 'kysely';
import type { Json, JsonWithDefault, Moment, MomentOfInsert, NullableJson, NullableMoment } from './columns.ts';

export interface WebhookEndpointTable {
  id: string;
  merchant_id: string;
  url: string;
  events: Json<readonly string[]>;
  /** Whose events it receives: those of live payments, of test payments, or both. */
  modes: JsonWithDefault<readonly ('live' | 'test')[]>;
  /** Sealed by the secret box: it must sign, so it cannot be a hash. */
  sealed_secret: string;
  /** The secret before a rotation with overlap, which signs too until `previous_secret_until`. */
  previous_sealed_secret: string | null;
  previous_secret_until: NullableMoment;
  enabled: boolean;
  /** What the merchant calls it. */
  description: Generated<string>;
  secret_changed_at: MomentOfInsert;
  disabled_at: NullableMoment;
  /** `failing` when it was the service that gave it up. */
  disabled_because: 'merchant' | 'failing' | null;
  /** A deleted endpoint stays for the sake of its log. */
  deleted_at: NullableMoment;
  /** Whether the service may disable it after days without a success. */
  disables_itself: Generated<boolean>;
  /** When the first attempt failed since the last success; null while it is well. */
  failing_since: NullableMoment;
  /** How far the merchant was warned about this failing: 0 not at all, else the place of the last notice in their order. */
  notices_sent: Generated<number>;
  /** The newest notice that it fails, until the merchant is told that it works again. */
  open_notice_id: string | null;
  created_at: MomentOfInsert;
}

/** One event with the exact bytes every attempt to every endpoint sends. */
export interface WebhookEventTable {
  id: string;
  merchant_id: string;
  transaction_id: string | null;
  event: string;
  /** Null for what was stored before events had one. */
  mode: 'live' | 'test' | null;
  body: string;
  /** A sample that the merchant asked for, which nothing happened for. */
  is_test: Generated<boolean>;
  /** On the wall; the body has the time of whoever raised it, which a test may have moved. */
  created_at: Moment;
}

export interface WebhookDeliveryTable {
  id: string;
  webhook_event_id: string;
  endpoint_id: string;
  /** Type of the event. */
  event: string;
  /** Leaf of the delivery's chart. */
  state: string;
  /** Attempt under way or last made. */
  attempt: number;
  /** HTTP status of the last attempt that ended; null when it got no answer, or none has ended. */
  last_status: number | null;
  /** Kind of the newest failure, which a later success leaves. */
  last_failure: string | null;
  created_at: Moment;
  ended_at: NullableMoment;
  /** The sender that makes `claimed_attempt`; means nothing once `attempt` is another one or `claimed_until` has passed. */
  claimed_by: string | null;
  claimed_attempt: number | null;
  claimed_until: NullableMoment;
}

/** One POST. An attempt that was repeated because its sender died has several rows. */
export interface WebhookAttemptTable {
  delivery_id: string;
  attempt: number;
  started_at: Moment;
  duration_ms: number;
  status: number | null;
  /** Kind of the failure; null when the attempt succeeded. */
  failure: string | null;
  failure_detail: string | null;
  /** The endpoint was held back and tried before its time. */
  is_probe: Generated<boolean>;
  /** As sent, without what must stay secret. */
  request_headers: NullableJson<Readonly<Record<string, string>>>;
  response_headers: NullableJson<Readonly<Record<string, string>>>;
  /** Text of the first part of the answer. */
  response_body: string | null;
  is_response_cut: Generated<boolean>;
  peer_address: string | null;
  /** Parts of `duration_ms`; null where they did not take place, as on a connection that was open already. */
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  first_byte_ms: number | null;
}

/** Everything an endpoint has not taken since a moment, sent again in the background. */
export interface WebhookReplayTable {
  id: string;
  merchant_id: string;
  endpoint_id: string;
  since: Moment;
  until: Moment;
  state: 'running' | 'done' | 'cancelled';
  /** The last event that was looked at. */
  cursor_created_at: NullableMoment;
  cursor_event_id: string | null;
  events_seen: Generated<number>;
  events_sent: Generated<number>;
  /** Deliveries to be started before the next events are looked at; null when there are none. */
  pending: NullableJson<readonly ReplayStart[]>;
  created_at: Moment;
  ended_at: NullableMoment;
}

export interface ReplayStart {
  readonly deliveryId: string;
  readonly webhookEventId: string;
  readonly earlierAttempts: number;
  readonly isRequested: boolean;
}
