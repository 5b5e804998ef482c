import type { Generated } from 'kysely';
import type { Mode } from '../../../../machines/index.ts';
import type { InsertTimestamp, Json, JsonWithDefault, NullableJson, NullableTimestamp, Timestamp } from './columns.ts';

export interface WebhookEndpointTable {
  id: string;
  merchant_id: string;
  url: string;
  events: Json<readonly string[]>;
  /** Modes of the payments whose events it receives. */
  modes: JsonWithDefault<readonly Mode[]>;
  /** Encrypted by the secret box, not hashed, because it signs. */
  sealed_secret: string;
  /** Previous secret during a rotation with overlap; also signs until `previous_secret_until`. */
  previous_sealed_secret: string | null;
  previous_secret_until: NullableTimestamp;
  enabled: boolean;
  /** The merchant's name for it. */
  description: Generated<string>;
  secret_changed_at: InsertTimestamp;
  disabled_at: NullableTimestamp;
  /** `failing` and `gone` when the service disabled it. */
  disabled_because: 'merchant' | 'failing' | 'gone' | null;
  /** A deleted endpoint is kept for its log. */
  deleted_at: NullableTimestamp;
  /** Whether the service may disable it after days without a success. */
  disables_itself: Generated<boolean>;
  /** Whether the service disables it when it responds with 410 Gone. */
  disables_on_gone: Generated<boolean>;
  /** When it responded with 410, until it is disabled for that or has a success. */
  gone_at: NullableTimestamp;
  /** Maximum attempts per second; null for no limit. */
  max_per_second: number | null;
  /** When `max_per_second` allows the next attempt; null before the first. */
  paced_until: NullableTimestamp;
  /** When the first attempt since the last success failed; null while healthy. */
  failing_since: NullableTimestamp;
  /**
   * Notices sent about this outage: 0 for none, else the position of the last notice in their
   * sequence.
   */
  notices_sent: Generated<number>;
  /**
   * When the merchant was last warned that it fails, until the merchant is notified that it works
   * again or was disabled.
   */
  warned_at: NullableTimestamp;
  /** When the failures of that warning began; null without one. */
  warned_since: NullableTimestamp;
  /** Its entry in the provisioning file when that was last applied; null without one. */
  provisioned: NullableJson<Readonly<Record<string, unknown>>>;
  created_at: InsertTimestamp;
}

/** One event, with the exact bytes sent in every attempt to every endpoint. */
export interface WebhookEventTable {
  id: string;
  merchant_id: string;
  transaction_id: string | null;
  event: string;
  mode: Mode;
  body: string;
  /** A sample event requested by the merchant. */
  is_test: Generated<boolean>;
  /** Wall-clock time; the body has the actor's own time, which a test clock may have moved. */
  created_at: Timestamp;
}

export interface WebhookDeliveryTable {
  id: string;
  webhook_event_id: string;
  endpoint_id: string;
  event: string;
  /** Before the outcome of the first attempt: it has no actor yet. */
  is_owed: Generated<boolean>;
  /** Active leaf state of the delivery's chart. */
  state: string;
  /** Number of the current or last attempt. */
  attempt: number;
  /** HTTP status of the last finished attempt; null if it got no response, or none has finished. */
  last_status: number | null;
  /** Kind of the latest failure; kept after a later success. */
  last_failure: string | null;
  created_at: Timestamp;
  ended_at: NullableTimestamp;
  /**
   * The sender of `claimed_attempt`; not valid once `attempt` differs or `claimed_until` has
   * passed.
   */
  claimed_by: string | null;
  claimed_attempt: number | null;
  claimed_until: NullableTimestamp;
}

/** One POST. An attempt repeated because its sender died has several rows. */
export interface WebhookAttemptTable {
  delivery_id: string;
  attempt: number;
  started_at: Timestamp;
  duration_ms: number;
  status: number | null;
  /** Kind of the failure; null on success. */
  failure: string | null;
  failure_detail: string | null;
  /** A probe: sent early while deliveries to a failing endpoint are held back. */
  is_probe: Generated<boolean>;
  /** As sent, without secrets. */
  request_headers: NullableJson<Readonly<Record<string, string>>>;
  response_headers: NullableJson<Readonly<Record<string, string>>>;
  /** Beginning of the response body. */
  response_body: string | null;
  is_response_cut: Generated<boolean>;
  peer_address: string | null;
  /** Parts of `duration_ms`; null when they did not occur, as on a reused connection. */
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  first_byte_ms: number | null;
}

/**
 * A replay: redelivers all events an endpoint has not accepted since a given time, in the
 * background.
 */
export interface WebhookReplayTable {
  id: string;
  merchant_id: string;
  endpoint_id: string;
  since: Timestamp;
  until: Timestamp;
  /** Leaves out events that were never tried, because the endpoint was disabled. */
  only_failed: Generated<boolean>;
  state: 'running' | 'done' | 'cancelled';
  /** The last event examined. */
  cursor_created_at: NullableTimestamp;
  cursor_event_id: string | null;
  events_seen: Generated<number>;
  events_sent: Generated<number>;
  /** Deliveries to start before the next events are examined; null when there are none. */
  pending: NullableJson<readonly ReplayStart[]>;
  created_at: Timestamp;
  ended_at: NullableTimestamp;
}

export interface ReplayStart {
  readonly deliveryId: string;
  readonly webhookEventId: string;
  readonly earlierAttempts: number;
  readonly isRequested: boolean;
}
