import { afterEach, expect, test, vi } from 'vitest';
import { SECOND_MS } from '../../../machines/index.ts';
import { firstAttempt } from '../../../src/webhooks/send-message.ts';
import { reportDeferral } from '../../../src/webhooks/sender/report.ts';
import { START_MS } from '../../support/clock.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { OK, type Receiver, type ReceiverResponse, startReceiver } from '../../support/outside/receiver.ts';
import { POLLING } from '../../support/polling.ts';
import {
  addEndpoint,
  createMerchant,
  deliveryOf,
  raiseEvent,
  startWebhookService,
  type WebhookService,
  type WebhookServiceOptions,
} from '../harness.ts';

const PAUSE_MS = 30 * SECOND_MS;
const BROKEN: ReceiverResponse = { kind: 'status', status: 503 };

/**
 * A copy of a message can reach a sender that holds the endpoint back while another sender makes
 * the attempt. The delivery then receives a deferral and reuses the attempt number. Found by the
 * chaos suite: the response was ignored, and the answers to every later attempt with that number
 * were taken for repeats of it, so the merchant got the webhook every five minutes forever.
 */
describeDatabases('an attempt that another sender has deferred meanwhile', (database) => {
  let service: WebhookService;
  let receiver: Receiver;

  afterEach(async () => {
    await service.stop();
    await receiver.close();
  });

  async function raise(response: ReceiverResponse): Promise<string> {
    receiver = await startReceiver();
    receiver.plan(response);
    receiver.usually(OK);
    const merchantId = await createMerchant(database());
    await addEndpoint(database(), { merchantId, url: receiver.url });
    service = await startWebhookService({ connection: database(), wrapEngine: deferringFirst() });
    const { id } = await raiseEvent(service, database(), { merchantId });
    return id;
  }

  test('counts as delivered on success, and nothing is sent again', async () => {
    const event = await raise(OK);
    await vi.waitFor(async () => {
      expect(await deliveryOf(database(), event)).toMatchObject({ state: 'delivered', attempt: 1, last_status: 200 });
    }, POLLING);
    service.clock.advance(2 * PAUSE_MS);
    const left = await database().db.selectFrom('timer').select('name').execute();
    expect(left).toEqual([]);
    expect(receiver.requests).toHaveLength(1);
  });

  test('may fail: its number is sent again, and that response counts', async () => {
    const event = await raise(BROKEN);
    await vi.waitFor(async () => {
      const { id, state } = await deliveryOf(database(), event);
      expect(state).toBe('waiting');
      const late = database().db.selectFrom('journal_entry').select('outcome').where('actor_id', '=', id);
      expect(await late.where('event_type', '=', 'sender.attempt_failed').execute()).toEqual([{ outcome: 'ignored' }]);
    }, POLLING);
    service.clock.advance(PAUSE_MS);
    await vi.waitFor(async () => {
      expect(await deliveryOf(database(), event)).toMatchObject({ state: 'delivered', attempt: 1, last_status: 200 });
    }, POLLING);
    expect(receiver.requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '1']);
  });
});

// Helpers

/** Reports a deferral to the delivery, just before it receives the first response. */
function deferringFirst(): NonNullable<WebhookServiceOptions['wrapEngine']> {
  let isFirst = true;
  return (engine) => ({
    start: (command) => engine.start(command),
    async deliver(command) {
      const { endpointId, webhookEventId } = (command.start?.input ?? {}) as Record<string, string>;
      const ids = { deliveryId: command.actorId, endpointId: endpointId ?? '', webhookEventId: webhookEventId ?? '' };
      const message = firstAttempt({ ...ids, event: '', createdAt: START_MS });
      if (isFirst) await reportDeferral({ engine }, message, { until: START_MS + PAUSE_MS, reason: 'held_back' });
      isFirst = false;
      return engine.deliver(command);
    },
  });
}
