import { afterEach, expect, test, vi } from 'vitest';
import { hasDelivered } from '../../src/webhooks/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { startReceiver } from '../support/outside/receiver.ts';
import { POLLING } from '../support/polling.ts';
import { endpointVerbs } from './endpoints/endpoint-verbs.ts';
import { addEndpoint, createMerchant, deliveryOf, raiseEvent, startWebhookService } from './harness.ts';

describeDatabases('whether a merchant has ever received a webhook', (database) => {
  const { remove } = endpointVerbs(database);
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  test('depends on the existing endpoints of that merchant only', async () => {
    const receiver = await startReceiver();
    opened.push(receiver);
    const service = await startWebhookService({ connection: database(), random: () => 0.5 });
    opened.unshift({ close: () => service.stop() });
    const [mine, other] = [await createMerchant(database()), await createMerchant(database())];
    const has = (merchantId: string) => hasDelivered(database().db, merchantId);
    const stateOf = async (id: string) => (await deliveryOf(database(), id)).state;

    const { id } = await addEndpoint(database(), { merchantId: mine, url: receiver.url });
    receiver.plan({ kind: 'status', status: 500 });
    const failed = await raiseEvent(service, database(), { merchantId: mine });
    await vi.waitFor(async () => expect(await stateOf(failed.id)).toBe('waiting'), POLLING);
    expect(await has(mine)).toBe(false);

    const taken = await raiseEvent(service, database(), { merchantId: mine });
    await vi.waitFor(async () => expect(await stateOf(taken.id)).toBe('delivered'), POLLING);
    expect([await has(mine), await has(other)]).toEqual([true, false]);

    await remove(mine, id);
    expect(await has(mine)).toBe(false);
  });
});
