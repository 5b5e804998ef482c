import { type Kysely, sql } from 'kysely';
import { deliveryMachine } from '../../machines/index.ts';
import type { BusHandler } from '../bus/index.ts';
import { createBatchedLookup, type Database, whileDatabaseAnswers } from '../db/index.ts';
import type { Engine } from '../engine/index.ts';
import { TerminalError } from '../errors.ts';
import { deliveryIdOf } from './delivery-id.ts';
import { isSubscribed } from './modes.ts';

export interface FanOutDeps {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'start'>;
}

/**
 * Starts one delivery per endpoint subscribed to an event. The delivery id is derived from event
 * and endpoint, so a redelivered message starts nothing twice.
 */
export function createFanOut({ db, engine }: FanOutDeps): BusHandler {
  // Under load many events are fanned out at once, so they share one query.
  const subscribersOf = createBatchedLookup((ids) => whileDatabaseAnswers(() => findSubscribers(db, ids)));
  return async ({ data }) => {
    const { webhookEventId, isAgain } = readMessage(data);
    const subscribers = (await subscribersOf(webhookEventId)) ?? unknownEvent(webhookEventId);
    const meant = subscribers.filter(({ isOlder }) => isOlder || !isAgain);
    await Promise.all(
      meant.map(({ endpointId }) => {
        const deliveryId = deliveryIdOf(webhookEventId, endpointId, 0);
        const input = { deliveryId, endpointId, webhookEventId, earlierAttempts: 0 };
        return engine.start({ kind: deliveryMachine.id, actorId: deliveryId, startKey: null, input });
      }),
    );
  };
}

// Helpers

function readMessage(data: unknown): { readonly webhookEventId: string; readonly isAgain: boolean } {
  if (typeof data === 'object' && data !== null && 'webhookEventId' in data) {
    const { webhookEventId } = data;
    const isAgain = 'isAgain' in data && data.isAgain === true;
    if (typeof webhookEventId === 'string') return { webhookEventId, isAgain };
  }
  throw new TerminalError('NOT_A_WEBHOOK_EVENT', 'The message is not {webhookEventId}');
}

interface Subscriber {
  readonly endpointId: string;
  /** Whether it was created before the event. */
  readonly isOlder: boolean;
}

/** The subscribed endpoints of each event that exists. */
async function findSubscribers(db: Kysely<Database>, eventIds: readonly string[]): Promise<Map<string, Subscriber[]>> {
  const { rows } = await sql<{ event_id: string; endpoint_id: string | null; is_older: boolean }>`
    select webhook_event.id as event_id, webhook_endpoint.id as endpoint_id,
      webhook_endpoint.created_at <= webhook_event.created_at as is_older
    from webhook_event left join webhook_endpoint on webhook_endpoint.merchant_id = webhook_event.merchant_id
      and webhook_endpoint.enabled and ${isSubscribed('webhook_endpoint', 'webhook_event')}
    where webhook_event.id = any(${eventIds}::text[])
    order by webhook_endpoint.id`.execute(db);
  const subscribers = new Map<string, Subscriber[]>();
  for (const { event_id, endpoint_id: endpointId, is_older: isOlder } of rows) {
    const found = endpointId === null ? [] : [{ endpointId, isOlder }];
    subscribers.set(event_id, [...(subscribers.get(event_id) ?? []), ...found]);
  }
  return subscribers;
}

function unknownEvent(webhookEventId: string): never {
  throw new TerminalError(
    'WEBHOOK_EVENT_UNKNOWN',
    `No webhook event ${webhookEventId} is stored: was this database restored from a backup that is older than the bus?`,
  );
}
