import type { Json, Moment, MomentOfInsert, NullableMoment } from './columns.ts';

export interface WebhookEndpointTable {
  id: string;
  merchant_id: string;
  url: string;
  events: Json<readonly string[]>;
  /** Sealed by the secret box: it must sign, so it cannot be a hash. */
  sealed_secret: string;
  enabled: boolean;
  created_at: MomentOfInsert;
}

/** One event with the exact bytes every attempt to every endpoint sends. */
export interface WebhookEventTable {
  id: string;
  merchant_id: string;
  transaction_id: string | null;
  event: string;
  body: string;
  created_at: Moment;
}

export interface WebhookDeliveryTable {
  id: string;
  webhook_event_id: string;
  endpoint_id: string;
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
}
