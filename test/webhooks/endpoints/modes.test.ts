import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Mode } from '../../../machines/index.ts';
import { createSecretBox } from '../../../src/platform/secrets/index.ts';
import { changeEndpoint, previewReplay, sendTestEvent } from '../../../src/webhooks/index.ts';
import { useApp } from '../../http/api/support.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { type Receiver, startReceiver } from '../../support/outside/receiver.ts';
import { POLLING } from '../../support/polling.ts';
import {
  addEndpoint,
  createMerchant,
  LOOPBACK,
  raiseEvent,
  startWebhookService,
  TEST_KEY,
  type WebhookService,
} from '../harness.ts';

describeDatabases('live and test events', (database) => {
  const receivers: Receiver[] = [];
  let service: WebhookService;

  beforeAll(async () => {
    service = await startWebhookService({ connection: database() });
  });
  afterAll(async () => {
    await service?.stop();
    for (const receiver of receivers) await receiver.close();
  });

  async function endpointOf(merchantId: string, modes: readonly Mode[]) {
    const receiver = await startReceiver();
    receivers.push(receiver);
    const { id } = await addEndpoint(database(), { merchantId, url: receiver.url, modes });
    return { id, events: () => receiver.requests.map(({ headers }) => headers['webhook-id']), receiver };
  }

  test('rule 59: are sent to the endpoints of their mode only, and name their mode in the header', async () => {
    const merchantId = await createMerchant(database());
    const live = await endpointOf(merchantId, ['live']);
    const trial = await endpointOf(merchantId, ['test']);
    const both = await endpointOf(merchantId, ['live', 'test']);
    const ofTest = await raiseEvent(service, database(), { merchantId, mode: 'test' });
    const ofLive = await raiseEvent(service, database(), { merchantId, mode: 'live' });
    await vi.waitFor(() => expect(new Set(both.events())).toEqual(new Set([ofLive.id, ofTest.id])), POLLING);
    await vi.waitFor(() => expect([live.events(), trial.events()]).toEqual([[ofLive.id], [ofTest.id]]), POLLING);
    expect(live.receiver.requests[0]?.headers['x-service-mode']).toBe('live');
    expect(trial.receiver.requests[0]?.headers['x-service-mode']).toBe('test');
  });

  test('are replayed to an endpoint of their mode only', async () => {
    const merchantId = await createMerchant(database());
    const { db } = database();
    for (const mode of ['live', 'test', 'test'] as const) await raiseEvent(service, database(), { merchantId, mode });
    const { id: endpointId } = await endpointOf(merchantId, ['live']);
    const due = async () => {
      const preview = await previewReplay(
        { db, clock: service.clock },
        { merchantId, endpointId, since: service.clock.now() - 1_000 },
      );
      return preview.due;
    };
    expect(await due()).toBe(1);
    const terms = { urls: LOOPBACK, plansEnabled: false };
    await db.transaction().execute((trx) => {
      const change = { trx, who: 'a test', now: Date.now() };
      return changeEndpoint(change, terms, { merchantId, endpointId, changes: { modes: ['test'] } });
    });
    expect(await due()).toBe(2);
  });

  test.each<[readonly Mode[], Mode]>([
    [['live'], 'live'],
    [['test'], 'test'],
    [['live', 'test'], 'test'],
  ])('of a sample for an endpoint of %j are %s, so that its receiver accepts them', async (modes, mode) => {
    const merchantId = await createMerchant(database());
    const { id: endpointId, receiver } = await endpointOf(merchantId, modes);
    const { runtime, clock } = service;
    const deps = { db: database().db, engine: runtime.engine, clock, publicUrl: 'https://pay.example' };
    await sendTestEvent(deps, { merchantId, endpointId, event: 'payment.completed' });
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), POLLING);
    expect(JSON.parse(receiver.requests[0]?.body ?? '')).toMatchObject({ mode });
  });
});

describeDatabases('a customer with a publishable test key', (database) => {
  const { app, merchant } = useApp(database, { webhooks: LOOPBACK, secretBox: createSecretBox(TEST_KEY) });

  describe('who creates a payment of a million and simulates it as paid', () => {
    test('causes nothing at an endpoint that was created for live payments', async () => {
      const receiver = await startReceiver();
      try {
        const { sk_live: key, sk_test } = merchant().keys;
        const { db } = database();
        await db.updateTable('merchant').set({ plan: 'enterprise' }).where('id', '=', merchant().id).execute();
        const create = (path: string, body: object) =>
          app().call({
            method: 'POST',
            path: '/webhooks/endpoints',
            key,
            body: { url: `${receiver.url}${path}`, ...body },
          });
        expect((await create('&of=live', {})).body).toMatchObject({ data: { endpoint: { modes: ['live'] } } });
        expect((await create('&of=test', { modes: ['test'] })).status).toBe(201);
        const paid = await app().call<{ data: { transaction_id: string } }>({
          method: 'POST',
          path: '/transactions/create',
          key: sk_test,
          body: { crypto: 'LTC', amount: 1_000_000 },
        });
        const path = `/transactions/${paid.body.data.transaction_id}/simulate`;
        for (const action of ['pay', 'confirm']) {
          expect((await app().call({ method: 'POST', path, key: sk_test, body: { action } })).status).toBe(200);
        }
        const completed = () =>
          receiver.requests.filter(({ headers }) => headers['x-service-event'] === 'payment.completed');
        await vi.waitFor(() => expect(completed()).toHaveLength(1), POLLING);
        expect(receiver.requests.filter(({ path }) => !path.endsWith('&of=test'))).toEqual([]);
        for (const { body, headers } of receiver.requests) {
          expect(JSON.parse(body)).toMatchObject({ mode: 'test' });
          expect(headers['x-service-mode']).toBe('test');
        }
      } finally {
        await receiver.close();
      }
    });
  });
});
