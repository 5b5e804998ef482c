import { derivedIdNextTo, type Id } from '../platform/ids.ts';

/**
 * Id of the delivery that follows `earlierDeliveries` others of the same event to the same
 * endpoint, next to the event's id. It is derived from their count, so two processes that start a
 * delivery concurrently start the same one. Attempts cannot be counted instead: a delivery that was
 * deferred until it failed has none, and the next one would get its id. The delivery rows of one
 * event and endpoint must therefore be kept or deleted together.
 */
export function deliveryIdOf(webhookEventId: string, endpointId: string, earlierDeliveries: number): Id<'dlv'> {
  if (earlierDeliveries === 0) return derivedIdNextTo('dlv', webhookEventId, endpointId);
  return derivedIdNextTo('dlv', webhookEventId, endpointId, earlierDeliveries);
}
