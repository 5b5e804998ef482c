import type { Kysely } from 'kysely';
import { deliveryMachine } from '../../../machines/index.ts';
import { type RequestAuthor, writeAudit } from '../../merchants/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Engine } from '../../platform/engine/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { deliveryIdOf } from '../delivery-id.ts';
import type { WebhookEventType } from '../event-types.ts';
import { sampleEventBody } from '../sample-event.ts';
import type { EndpointOfMerchant } from './endpoint.ts';
import { getEndpoint } from './find-endpoints.ts';

export interface TestEventDeps {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'start'>;
  readonly clock: Clock;
  /**
   * Base URL of the service for customers, without a trailing slash; some events link to a page.
   */
  readonly publicUrl: string;
}

/** A test event that was queued. */
export interface SentTestEvent {
  /** The payload's `id`. */
  readonly eventId: string;
  readonly event: WebhookEventType;
  readonly deliveryId: string;
}

export interface TestEventInput extends EndpointOfMerchant {
  readonly event: WebhookEventType;
  /** The user, for the audit log; omitted for API clients. */
  readonly author?: RequestAuthor;
}

/**
 * Sends a sample event to one endpoint, regardless of its subscriptions, as an ordinary delivery:
 * signed, retried and logged. No other endpoint receives it. Throws a `TerminalError`:
 * `WEBHOOK_ENDPOINT_NOT_FOUND`, or `INVALID_STATE` when it is disabled.
 */
export async function sendTestEvent(
  { db, engine, clock, publicUrl }: TestEventDeps,
  { event, author, ...endpoint }: TestEventInput,
): Promise<SentTestEvent> {
  const { merchantId, id: endpointId, enabled, modes } = await getEndpoint(db, endpoint);
  if (!enabled) throw new TerminalError('INVALID_STATE', 'This webhook endpoint is disabled; enable it first.');
  const at = clock.now();
  const eventId = newId('evt');
  // Receivers reject events of a mode their endpoint does not have.
  const mode = modes.includes('test') ? 'test' : 'live';
  const row = { id: eventId, merchant_id: merchantId, transaction_id: null, event, mode, is_test: true } as const;
  const body = sampleEventBody({ id: eventId, event, mode, at, publicUrl });
  // Stored before the delivery, which references it. On its own it is never sent: test events are
  // not fanned out.
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('webhook_event')
      .values({ ...row, body, created_at: new Date(at) })
      .execute();
    if (author === undefined) return;
    const entry = { merchantId, what: 'webhook_endpoint.test_sent', subjectId: endpointId } as const;
    await writeAudit({ ...author, trx }, { ...entry, details: { event, eventId } });
  });
  const deliveryId = deliveryIdOf(eventId, endpointId, 0);
  const input = { deliveryId, endpointId, webhookEventId: eventId, earlierAttempts: 0, isRequested: true };
  await engine.start({ kind: deliveryMachine.id, actorId: deliveryId, startKey: null, input });
  return { eventId, event, deliveryId };
}
