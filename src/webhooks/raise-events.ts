import { sql, type Transaction } from 'kysely';
import { partitionOf } from '../platform/bus/index.ts';
import { type Database, settleAll, unnestRows } from '../platform/db/index.ts';
import type { Hint } from '../platform/engine/index.ts';
import { deliveryIdOf } from './delivery-id.ts';
import { isSubscribed } from './modes.ts';
import { insertOwed } from './owed-deliveries.ts';
import { firstAttempt, SEND_QUEUE } from './send-message.ts';
import { insertWebhookEvents, type NewWebhookEvent } from './store-events.ts';

/**
 * Stores events inside the commit that raises them, with a delivery for each endpoint that
 * subscribes to them now, and returns the hints that request the first attempts. Raising an event
 * again stores nothing twice.
 */
export async function raiseWebhookEvents(
  trx: Transaction<Database>,
  events: readonly NewWebhookEvent[],
): Promise<Hint[]> {
  return storeWebhookEvents(trx, events, await findSubscribers(trx, events));
}

/**
 * The second half of `raiseWebhookEvents`: `subscribers` as `findSubscribers` returned them for
 * these events, in the same order.
 */
export async function storeWebhookEvents(
  trx: Transaction<Database>,
  events: readonly NewWebhookEvent[],
  subscribers: readonly Subscriber[],
): Promise<Hint[]> {
  const deliveries = subscribers.map(({ index, endpointId }) => {
    const raised = events[index];
    if (raised === undefined) throw new Error(`${endpointId} subscribes to event ${index} of ${events.length}`);
    const { id: webhookEventId, actorId, event, createdAt } = raised;
    return {
      deliveryId: deliveryIdOf(webhookEventId, endpointId, 0),
      webhookEventId,
      endpointId,
      event,
      createdAt,
      actorId,
    };
  });
  const [, stored] = await settleAll([insertWebhookEvents(trx, events), insertOwed(trx, deliveries)]);
  return deliveries
    .filter(({ deliveryId }) => stored.has(deliveryId))
    .map(({ actorId, ...delivery }) => ({
      id: `${delivery.deliveryId}:first`,
      queue: SEND_QUEUE,
      partition: partitionOf(delivery.deliveryId),
      data: firstAttempt(delivery),
      isHint: true,
      actorId,
    }));
}

/** An endpoint that subscribes to the event at this index. */
export interface Subscriber {
  readonly index: number;
  readonly endpointId: string;
}

/** One lookup by key per event, regardless of the planner's estimates: `offset 0` forces it. */
export async function findSubscribers(
  trx: Transaction<Database>,
  events: readonly Pick<NewWebhookEvent, 'merchantId' | 'event' | 'mode'>[],
): Promise<Subscriber[]> {
  if (events.length === 0) return [];
  const rows = events.map(({ merchantId, event, mode }, index) => ({ index, merchant_id: merchantId, event, mode }));
  const { rows: subscribers } = await sql<Subscriber>`
    select raised.index, endpoint.id as "endpointId"
    from (
      select *, false as is_test
      from ${unnestRows('requested', { int4: ['index'], text: ['merchant_id', 'event', 'mode'] }, rows)}
    ) as raised
    cross join lateral (
      select id from webhook_endpoint as endpoint
      where merchant_id = raised.merchant_id and deleted_at is null and enabled
        and ${isSubscribed('endpoint', 'raised')}
      offset 0
    ) as endpoint`.execute(trx);
  return subscribers;
}
