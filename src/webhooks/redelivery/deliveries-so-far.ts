import { type RawBuilder, sql } from 'kysely';
import type { DeliveryTerms } from '../../../machines/index.ts';
import { deliveryIdOf } from '../delivery-id.ts';

/** What the deliveries of one event to one endpoint have come to. All but the last have ended. */
export interface DeliveriesSoFar {
  readonly webhookEventId: string;
  readonly endpointId: string;
  readonly deliveries: number;
  /** Highest number an attempt had; 0 without any. */
  readonly attempts: number;
  /** One of them was delivered. */
  readonly isTaken: boolean;
  /** The one that has not ended; null without. */
  readonly runningId: string | null;
}

/** Everything the start of a delivery says, but for when. */
export type NextDelivery = Omit<DeliveryTerms, 'createdAt' | 'isRequested'>;

/**
 * The delivery that is to follow. Must not be started while one runs. Once it can be started it is the only one that can: a
 * delivery that has ended never runs again, and whoever else finds these ones ended names the next one alike.
 */
export function nextDelivery(soFar: DeliveriesSoFar): NextDelivery {
  const { webhookEventId, endpointId, deliveries, attempts } = soFar;
  const deliveryId = deliveryIdOf(webhookEventId, endpointId, deliveries);
  return { deliveryId, endpointId, webhookEventId, earlierAttempts: attempts };
}

/**
 * A lateral subquery with one row: `deliveries`, `attempts`, `is_taken`, `running_id`. The rows of attempts are asked as well,
 * because a number may have been given back after a repetition of the attempt was held back. They lie between the delivery's first
 * and last moments, which spares asking the partitions of other months; a day more than any clocks differ.
 */
export function deliveriesSoFar(eventId: RawBuilder<unknown>, endpointId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select count(*)::int4 as deliveries,
      coalesce(max(greatest(delivery.attempt, coalesce(tried.attempt, 0))), 0) as attempts,
      coalesce(bool_or(delivery.state = 'delivered'), false) as is_taken,
      max(delivery.id) filter (where delivery.ended_at is null) as running_id
    from webhook_delivery as delivery
    left join lateral (
      select max(attempt) as attempt from webhook_attempt
      where delivery_id = delivery.id and started_at >= delivery.created_at - interval '1 day'
        and started_at <= coalesce(delivery.ended_at, 'infinity') + interval '1 day'
    ) as tried on true
    where delivery.webhook_event_id = ${eventId} and delivery.endpoint_id = ${endpointId}`;
}
