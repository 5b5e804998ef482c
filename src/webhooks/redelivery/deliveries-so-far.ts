import { type RawBuilder, sql } from 'kysely';
import type { DeliveryTerms } from '../../../machines/index.ts';
import { deliveryIdOf } from '../delivery-id.ts';

/** Summary of the deliveries of one event to one endpoint. All but the last have ended. */
export interface DeliveriesSoFar {
  readonly webhookEventId: string;
  readonly endpointId: string;
  readonly deliveries: number;
  /** Highest attempt number; 0 without attempts. */
  readonly attempts: number;
  /** Whether one of them was delivered. */
  readonly isTaken: boolean;
}

/** The part of a delivery's input that follows from the deliveries so far. */
export type NextDelivery = Omit<DeliveryTerms, 'createdAt' | 'isRequested'>;

/**
 * The next delivery of the event. Must not be started while one is running. A delivery that has
 * ended never runs again, so every process that finds these ended derives the same id.
 */
export function nextDelivery(soFar: DeliveriesSoFar): NextDelivery {
  const { webhookEventId, endpointId, deliveries, attempts } = soFar;
  const deliveryId = deliveryIdOf(webhookEventId, endpointId, deliveries);
  return { deliveryId, endpointId, webhookEventId, earlierAttempts: attempts };
}

/**
 * A lateral subquery with one row: `deliveries`, `attempts`, `isTaken`, `runningId`. It also reads
 * the attempt rows, because a delivery may have released its number after a repeat of the
 * attempt was deferred. They lie between the creation and the end of the delivery, which limits the
 * scan to the partitions of those months; the extra day covers clock differences.
 */
export function deliveriesSoFar(eventId: RawBuilder<unknown>, endpointId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select count(*)::int4 as deliveries,
      coalesce(max(greatest(delivery.attempt, coalesce(tried.attempt, 0))), 0) as attempts,
      coalesce(bool_or(delivery.state = 'delivered'), false) as "isTaken",
      max(delivery.id) filter (where delivery.ended_at is null) as "runningId"
    from webhook_delivery as delivery
    left join lateral (
      select max(attempt) as attempt from webhook_attempt
      where delivery_id = delivery.id and started_at >= delivery.created_at - interval '1 day'
        and started_at <= coalesce(delivery.ended_at, 'infinity') + interval '1 day'
    ) as tried on true
    where delivery.webhook_event_id = ${eventId} and delivery.endpoint_id = ${endpointId}`;
}
