import { type RawBuilder, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { WebhookEventType } from '../event-types.ts';

/** Leaf states of the delivery chart. */
export const DELIVERY_STATES = ['sending', 'waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A delivery: one event to one endpoint, in progress or ended. */
export interface DeliveryView {
  readonly id: string;
  readonly endpointId: string;
  /** Id of the event, as in the payload. */
  readonly eventId: string;
  readonly event: WebhookEventType;
  /** A sample event the merchant requested. */
  readonly isTest: boolean;
  readonly transactionId: string | null;
  /** The merchant's id of the order; null when the payment has none. */
  readonly orderId: string | null;
  readonly state: DeliveryState;
  /** Number of the current or last attempt; 0 when nothing was sent yet. */
  readonly attempt: number;
  /** HTTP status of the last finished attempt; null when there was no response. */
  readonly lastStatus: number | null;
  /** Kind of the newest failure; a later success does not clear it. */
  readonly lastFailure: string | null;
  /** When the next attempt is due; null unless the delivery is waiting. */
  readonly nextAttemptAt: UnixMs | null;
  readonly createdAt: UnixMs;
  readonly endedAt: UnixMs | null;
}

/**
 * Columns of `DeliveryView`, of `delivery` (a row of `webhook_delivery`), `event`, and `terms`:
 * those of its payment, if there are any.
 */
export const DELIVERY_COLUMNS: RawBuilder<unknown> = sql`
  delivery.id, delivery.endpoint_id as "endpointId", delivery.webhook_event_id as "eventId", delivery.event,
  event.is_test as "isTest", event.transaction_id as "transactionId", terms.order_id as "orderId",
  delivery.state, delivery.attempt, delivery.last_status as "lastStatus", delivery.last_failure as "lastFailure",
  case when delivery.state = 'waiting' then (
    select fires_at from timer where timer.actor_id = delivery.id and timer.name = 'retry_due'
  ) end as "nextAttemptAt", delivery.created_at as "createdAt", delivery.ended_at as "endedAt"`;
