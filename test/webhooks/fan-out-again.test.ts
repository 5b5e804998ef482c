import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fanOutAgain, insertWebhookEvents } from '../../src/webhooks/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { type Receiver, startReceiver } from '../support/outside/receiver.ts';
import { PATIENCE } from '../support/service/engine.ts';
import {
  addEndpoint,
  createMerchant,
  deliveriesOf,
  newEvent,
  startWebhookService,
  type WebhookService,
} from './harness.ts';

const MINUTE_MS = 60_000;

describeDatabases('after a restore, an event without deliveries', (database) => {
  let service: WebhookService;
  let receiver: Receiver;
  beforeAll(async () => {
    service = await startWebhookService({ connection: database() });
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await service?.stop();
    await receiver?.close();
  });

  test('is sent to the endpoints that existed when it happened, and to no later ones', async () => {
    const { db } = database();
    const merchantId = await createMerchant(database());
    const add = (name: string) => addEndpoint(database(), { merchantId, url: `${receiver.url}/${name}` });
    // Endpoints are created by the real clock.
    const [early, disabled] = [await add('early'), await add('disabled')];
    await db.updateTable('webhook_endpoint').set({ enabled: false }).where('id', '=', disabled.id).execute();
    const [before, between] = [-MINUTE_MS, 0].map((offset) =>
      newEvent({ merchantId, event: 'payment.completed', at: Date.now() + offset }),
    );
    if (before === undefined || between === undefined) throw new Error('two events were made');
    await db.transaction().execute((trx) => insertWebhookEvents(trx, [before, between]));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const late = await add('late');

    await db.transaction().execute((trx) => fanOutAgain(trx, Date.now() - 2 * MINUTE_MS));
    await vi.waitFor(async () => {
      const waiting = db.selectFrom('outbox_message').select('id').where('id', 'like', 'again:%');
      expect(await waiting.execute()).toEqual([]);
    }, PATIENCE);

    const endpointsOf = async (id: string) => (await deliveriesOf(database(), id)).map((each) => each.endpoint_id);
    expect(await endpointsOf(before.id)).toEqual([]);
    expect(await endpointsOf(between.id)).toEqual([early.id]);
    expect(late.id).not.toBe(early.id);
  });
});
