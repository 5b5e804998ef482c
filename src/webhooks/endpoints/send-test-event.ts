import type { Kysely } from 'kysely';
import { deliveryMachine } from '../../../machines/index.ts';
import type { Clock } from '../../clock.ts';
import { type Database, whileDatabaseAnswers } from '../../db/index.ts';
import type { Engine } from '../../engine/index.ts';
import { TerminalError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { type Asker, writeAudit } from '../../merchants/index.ts';
import { deliveryIdOf } from '../delivery-id.ts';
import type { WebhookEventType } from '../event-types.ts';
import { sampleEventBody } from '../sample-event.ts';
import type { EndpointOfMerchant } from './endpoint.ts';
import { getEndpoint } from './find-endpoints.ts';

export interface TestEventDeps {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'start'>;
  readonly clock: Clock;
  /** Where customers reach the service, without a slash at its end; some events name a page of it. */
  readonly publicUrl: string;
}

/** A sample on its way. */
export interface SentTestEvent {
  /** The payload's `id`. */
  readonly eventId: string;
  readonly event: WebhookEventType;
  readonly deliveryId: string;
}

export interface WantedTestEvent extends EndpointOfMerchant {
  readonly event: WebhookEventType;
  /** A person, for the audit; left out for a program of the merchant's. */
  readonly asker?: Asker;
}

/**
 * Sends a sample of an event to one endpoint, whatever it subscribes to, as a delivery like any other: signed, retried, in the
 * log. No other endpoint gets it. Throws a `TerminalError`: `WEBHOOK_ENDPOINT_NOT_FOUND`, or `INVALID_STATE` for one that is
 * disabled.
 */
export async function sendTestEvent(
  { db, engine, clock, publicUrl }: TestEventDeps,
  { event, asker, ...wanted }: WantedTestEvent,
): Promise<SentTestEvent> {
  const { merchantId, id: endpointId, enabled, modes } = await whileDatabaseAnswers(() => getEndpoint(db, wanted));
  if (!enabled) throw new TerminalError('INVALID_STATE', 'This webhook endpoint is disabled; enable it first.');
  const at = clock.now();
  const eventId = newId('evt');
  // Its receiver refuses the mode that the endpoint does not belong to.
  const mode = modes.includes('test') ? 'test' : 'live';
  const row = { id: eventId, merchant_id: merchantId, transaction_id: null, event, mode, is_test: true } as const;
  const body = sampleEventBody({ id: eventId, event, mode, at, publicUrl });
  // Before the delivery, which names it. Alone it is never sent: test events are not fanned out.
  await whileDatabaseAnswers(() =>
    db.transaction().execute(async (trx) => {
      await trx
        .insertInto('webhook_event')
        .values({ ...row, body, created_at: new Date(at) })
        .execute();
      if (asker === undefined) return;
      const entry = { merchantId, what: 'webhook_endpoint.test_sent', subjectId: endpointId } as const;
      await writeAudit({ ...asker, trx }, { ...entry, details: { event, eventId } });
    }),
  );
  const deliveryId = deliveryIdOf(eventId, endpointId, 0);
  const input = { deliveryId, endpointId, webhookEventId: eventId, earlierAttempts: 0, isRequested: true };
  await engine.start({ kind: deliveryMachine.id, actorId: deliveryId, startKey: null, input });
  return { eventId, event, deliveryId };
}
