import { derivedId, type Id } from '../ids.ts';

/**
 * Id of the delivery that follows `earlierDeliveries` others of the same event to the same endpoint. It is their number that
 * tells deliveries apart: whoever finds the same number of ended ones starts the same delivery, so two who start at once
 * start one. (Not the attempts made: a delivery that was held back to its end has made none, and the next one
 * would have its id.) It follows that the rows of one event and endpoint are kept or removed together.
 */
export function deliveryIdOf(webhookEventId: string, endpointId: string, earlierDeliveries: number): Id<'dlv'> {
  if (earlierDeliveries === 0) return derivedId('dlv', webhookEventId, endpointId);
  return derivedId('dlv', webhookEventId, endpointId, earlierDeliveries);
}
