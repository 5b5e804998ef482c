import { afterEach, expect, test, vi } from 'vitest';
import { describeDatabases } from '../../support/database/test-database.ts';
import { OK, type Receiver, startReceiver } from '../../support/outside/receiver.ts';
import { POLLING } from '../../support/polling.ts';
import {
  addEndpoint,
  createMerchant,
  deliveriesOf,
  deliveryOf,
  LOOPBACK,
  raiseEvent,
  startWebhookService,
  type WebhookService,
  type WebhookServiceOptions,
} from '../harness.ts';
import { endpointVerbs, UNLIMITED } from './endpoint-verbs.ts';

describeDatabases('deliveries to a changed endpoint', (database) => {
  const { change, regenerate, remove } = endpointVerbs(database);
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  async function open(): Promise<{ service: WebhookService; receiver: Receiver; merchantId: string; id: string }> {
    const receiver = await startReceiver();
    opened.push(receiver);
    const merchantId = await createMerchant(database());
    const { id, secret } = await addEndpoint(database(), { merchantId, url: receiver.url });
    receiver.trust(secret);
    return { service: await run(), receiver, merchantId, id };
  }
  async function run(options: Partial<WebhookServiceOptions> = {}): Promise<WebhookService> {
    const service = await startWebhookService({ connection: database(), random: () => 0.5, ...options });
    opened.unshift({ close: () => service.stop() });
    return service;
  }

  test('rule 60: the next attempt is signed with the regenerated secret only', async () => {
    const { service, receiver, merchantId, id } = await open();
    receiver.plan({ kind: 'status', status: 500 });
    const event = await raiseEvent(service, database(), { merchantId });
    await vi.waitFor(async () => expect((await deliveryOf(database(), event.id)).state).toBe('waiting'), POLLING);
    expect(receiver.requests.at(-1)).toMatchObject({ isServiceSignatureValid: true, isStandardSignatureValid: true });
    const { secret } = await regenerate(merchantId, id);
    service.clock.advance(10_000);
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(2), POLLING);
    expect(receiver.requests.at(-1)).toMatchObject({ isServiceSignatureValid: false, isStandardSignatureValid: false });
    receiver.trust(secret);
    await raiseEvent(service, database(), { merchantId });
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(3), POLLING);
    expect(receiver.requests.at(-1)).toMatchObject({ isServiceSignatureValid: true, isStandardSignatureValid: true });
  });

  test('an attempt that waits for our own network is signed with the current secret when it is sent', async () => {
    const receiver = await startReceiver();
    opened.push(receiver);
    const merchantId = await createMerchant(database());
    const url = receiver.url.replace('127.0.0.1', 'shop.test');
    const { id } = await addEndpoint(database(), { merchantId, url });
    let isAway = true;
    let requested = 0;
    const service = await run({
      limits: { localFaultPauseMs: 1, maxLocalFaults: Number.MAX_SAFE_INTEGER },
      async resolve() {
        requested += 1;
        if (!isAway) return [{ address: '127.0.0.1', family: 4 }];
        throw Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN', syscall: 'getaddrinfo' });
      },
    });
    const event = await raiseEvent(service, database(), { merchantId });
    await vi.waitFor(() => expect(requested).toBeGreaterThan(1), POLLING);
    const { secret } = await regenerate(merchantId, id);
    receiver.trust(secret);
    // The next lookup can still belong to a try that had read the endpoint before.
    const before = requested;
    await vi.waitFor(() => expect(requested).toBeGreaterThan(before + 1), POLLING);
    isAway = false;
    await vi.waitFor(async () => expect((await deliveryOf(database(), event.id)).state).toBe('delivered'), POLLING);
    expect(receiver.requests).toMatchObject([{ isServiceSignatureValid: true, isStandardSignatureValid: true }]);
    expect(receiver.requests[0]?.headers['x-service-attempt']).toBe('1');
  });

  test('a changed URL applies to the remaining attempts', async () => {
    const { service, receiver, merchantId, id } = await open();
    const other = await startReceiver();
    opened.push(other);
    receiver.plan({ kind: 'status', status: 500 });
    const event = await raiseEvent(service, database(), { merchantId });
    await vi.waitFor(async () => expect((await deliveryOf(database(), event.id)).state).toBe('waiting'), POLLING);
    await change(merchantId, id, { url: other.url }, { ...UNLIMITED, urls: LOOPBACK });
    service.clock.advance(10_000);
    await vi.waitFor(async () => expect((await deliveryOf(database(), event.id)).state).toBe('delivered'), POLLING);
    expect([receiver.requests.length, other.requests.length]).toEqual([1, 1]);
  });

  test('deliveries to a deleted one end as endpoint_gone, and no new one starts', async () => {
    const { service, receiver, merchantId, id } = await open();
    receiver.usually({ kind: 'status', status: 500 });
    const event = await raiseEvent(service, database(), { merchantId });
    await vi.waitFor(async () => expect((await deliveryOf(database(), event.id)).state).toBe('waiting'), POLLING);
    await remove(merchantId, id);
    receiver.usually(OK);
    const later = await raiseEvent(service, database(), { merchantId });
    await vi.waitFor(async () => {
      service.clock.advance(60 * 60_000);
      expect(await deliveryOf(database(), event.id)).toMatchObject({ state: 'failed', last_failure: 'endpoint_gone' });
    }, POLLING);
    expect(receiver.requests).toHaveLength(1);
    expect(await deliveriesOf(database(), later.id)).toEqual([]);
  });
});
