import type { BusHandler } from '../platform/bus/index.ts';
import { actorQueue, type Relay } from '../platform/engine/index.ts';

/**
 * Queues whose messages stay in the outbox until a handler has settled them. Messages of other
 * queues that NATS loses are recreated: timers from their leases, attempts from their deliveries,
 * observations from the pending ones in the database, depth checks from the payments.
 */
export const RETAINED_QUEUES: ReadonlySet<string> = new Set([actorQueue('schedule')]);

/** Removes a message from the outbox once `handle` has settled it. */
export function settling(relay: Pick<Relay, 'settled'>, handle: BusHandler): BusHandler {
  return async (message) => {
    await handle(message);
    relay.settled(message.id);
  };
}
