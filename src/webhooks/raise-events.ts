import { sql, type Transaction } from 'kysely';
import { partitionOf } from '../platform/bus/index.ts';
import { type Database, settleAll } from '../platform/db/index.ts';
import type { Hint } from '../platform/engine/index.ts';
import { deliveryIdOf } from './delivery-id.ts';
import { insertWebhookEvents, type NewWebhookEvent } from './events.ts';
import { isSubscribed } from './modes.ts';
import { insertOwed, type OwedDelivery } from './owed-deliveries.ts';
import { firstAttempt, SEND_QUEUE } from './send-message.ts';

/**
 * Stores events inside the commit that raises them, with a delivery for each endpoint that
 * subscribes to them now, and returns the hints that request the first attempts. Raising an event
 * again stores nothing twice.
 */
export async function raiseWebhookEvents(
  trx: Transaction<Database>,
  events: readonly NewWebhookEvent[],
): Promise<Hint[]> {
  if (events.length === 0) return [];
  const [, subscribers] = await settleAll([insertWebhookEvents(trx, events), findSubscribers(trx, events)]);
  const stored = await insertOwed(trx, subscribers);
  return subscribers
    .filter(({ deliveryId }) => stored.has(deliveryId))
    .map((delivery) => {
      const { deliveryId, actorId } = delivery;
      const message = { id: `${deliveryId}:first`, queue: SEND_QUEUE, partition: partitionOf(deliveryId) };
      return { ...message, data: firstAttempt(delivery), isHint: true, actorId };
    });
}

// Helpers

interface Subscriber extends OwedDelivery {
  readonly actorId: string;
}

/** One lookup by key per event, whatever the planner assumes: `offset 0` forces it. */
async function findSubscribers(trx: Transaction<Database>, events: readonly NewWebhookEvent[]): Promise<Subscriber[]> {
  const { rows } = await sql<{ place: number; endpoint_id: string }>`
    select raised.place, endpoint.id as endpoint_id
    from (
      select *, false as is_test from unnest(
        ${events.map((_, place) => place)}::int4[], ${events.map(({ merchantId }) => merchantId)}::text[],
        ${events.map(({ event }) => event)}::text[], ${events.map(({ mode }) => mode)}::text[]
      ) as given (place, merchant_id, event, mode)
    ) as raised
    cross join lateral (
      select id from webhook_endpoint as endpoint
      where merchant_id = raised.merchant_id and deleted_at is null and enabled
        and ${isSubscribed('endpoint', 'raised')}
      offset 0
    ) as endpoint`.execute(trx);
  return rows.flatMap(({ place, endpoint_id: endpointId }) => {
    const raised = events[place];
    if (raised === undefined) return [];
    const { id: webhookEventId, actorId, event, createdAt } = raised;
    return [
      {
        deliveryId: deliveryIdOf(webhookEventId, endpointId, 0),
        webhookEventId,
        endpointId,
        event,
        createdAt,
        actorId,
      },
    ];
  });
}
