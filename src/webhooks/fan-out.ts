import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import { type Bus, type BusHandler, partitionOf } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import { createGrouped, type Database, whileDatabaseAnswers } from '../db/index.ts';
import { TerminalError } from '../errors.ts';
import { deliveryIdOf } from './delivery-id.ts';
import { isSubscribed } from './modes.ts';
import { insertOwed, type OwedDelivery } from './owed-deliveries.ts';
import { firstAttempt, SEND_QUEUE } from './send-message.ts';

export interface FanOutDeps {
  readonly db: Kysely<Database>;
  readonly bus: Pick<Bus, 'publish'>;
  readonly clock: Clock;
}

/**
 * Stores one delivery per endpoint subscribed to an event, and requests its first attempt. Nearly
 * all deliveries succeed at once, so they have no actor yet: it starts with the outcome of that
 * attempt, or when none is made in time. The delivery id is derived from event and endpoint, so a
 * redelivered message stores nothing twice.
 */
export function createFanOut({ db, bus, clock }: FanOutDeps): BusHandler {
  // Under load many events are fanned out at once, so they share the statements.
  const store = createGrouped((events: readonly FannedOut[]) => storeDeliveries(db, events, clock.now()));
  return async ({ data }) => {
    const event = readMessage(data);
    const owed = await whileDatabaseAnswers(() => store(event));
    if (owed === null) throw unknownEvent(event.webhookEventId);
    for (const delivery of owed) {
      const { deliveryId } = delivery;
      const message = { queue: SEND_QUEUE, partition: partitionOf(deliveryId), id: `${deliveryId}:first` };
      // Not awaited: the in-process bus takes as long as the attempt. A sender finds the deliveries
      // whose message is lost.
      bus.publish({ ...message, data: firstAttempt(delivery) }).catch(() => {});
    }
  };
}

// Helpers

interface FannedOut {
  readonly webhookEventId: string;
  /** Only to endpoints created before the event. */
  readonly isAgain: boolean;
}

function readMessage(data: unknown): FannedOut {
  if (typeof data === 'object' && data !== null && 'webhookEventId' in data) {
    const { webhookEventId } = data;
    const isAgain = 'isAgain' in data && data.isAgain === true;
    if (typeof webhookEventId === 'string') return { webhookEventId, isAgain };
  }
  throw new TerminalError('NOT_A_WEBHOOK_EVENT', 'The message is not {webhookEventId}');
}

/** The deliveries stored for each event, in order; null for an unknown event. */
async function storeDeliveries(
  db: Kysely<Database>,
  events: readonly FannedOut[],
  now: UnixMs,
): Promise<(readonly OwedDelivery[] | null)[]> {
  const subscribers = await findSubscribers(db, [...new Set(events.map(({ webhookEventId }) => webhookEventId))], now);
  const wanted = events.map(({ webhookEventId, isAgain }) =>
    subscribers.get(webhookEventId)?.filter(({ isOlder }) => isOlder || !isAgain),
  );
  const stored = await insertOwed(
    db,
    wanted.flatMap((each) => each ?? []),
  );
  return wanted.map((each) => each?.filter(({ deliveryId }) => stored.delete(deliveryId)) ?? null);
}

interface Subscriber extends OwedDelivery {
  /** Whether the endpoint was created before the event. */
  readonly isOlder: boolean;
}

/** A delivery for each subscribed endpoint of each event that exists. */
async function findSubscribers(
  db: Kysely<Database>,
  eventIds: readonly string[],
  createdAt: UnixMs,
): Promise<Map<string, Subscriber[]>> {
  const { rows } = await sql<{ event_id: string; event: string; endpoint_id: string | null; is_older: boolean }>`
    select webhook_event.id as event_id, webhook_event.event, webhook_endpoint.id as endpoint_id,
      webhook_endpoint.created_at <= webhook_event.created_at as is_older
    from webhook_event left join webhook_endpoint on webhook_endpoint.merchant_id = webhook_event.merchant_id
      and webhook_endpoint.enabled and ${isSubscribed('webhook_endpoint', 'webhook_event')}
    where webhook_event.id = any(${eventIds}::text[])
    order by webhook_endpoint.id`.execute(db);
  const subscribers = new Map<string, Subscriber[]>();
  for (const { event_id: webhookEventId, event, endpoint_id: endpointId, is_older: isOlder } of rows) {
    const found = subscribers.get(webhookEventId) ?? [];
    subscribers.set(webhookEventId, found);
    if (endpointId === null) continue;
    const deliveryId = deliveryIdOf(webhookEventId, endpointId, 0);
    found.push({ deliveryId, webhookEventId, endpointId, event, createdAt, isOlder });
  }
  return subscribers;
}

function unknownEvent(webhookEventId: string): TerminalError {
  return new TerminalError(
    'WEBHOOK_EVENT_UNKNOWN',
    `No webhook event ${webhookEventId} is stored: was this database restored from a backup that is older than the bus?`,
  );
}
