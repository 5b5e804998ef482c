import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../../demo/customer.ts';
import { CONFIRMATIONS, dueLitoshi, type Stage } from '../../demo/scenarios.ts';
import { openShop, type ShopWebhook } from '../../demo/shop.ts';
import { waitFor } from '../../demo/wait.ts';
import { createWorld } from '../../demo/world.ts';
import { RETRY_DELAYS_MS } from '../../machines/index.ts';
import { type Litecoind, startLitecoind } from '../support/nodes/litecoind.ts';
import { OK } from '../support/outside/receiver.ts';
import { createTcpProxy, type TcpProxy } from '../support/outside/tcp-proxy.ts';
import { type Backend, createAnyBackend, describeLitecoin } from './backends.ts';
import { comesTo, webhooksArrived } from './expectations.ts';

/** Retry delays get up to a tenth of jitter. */
const JITTER_FACTOR = 1.1;

let node: Litecoind | undefined;
let line: TcpProxy | undefined;
let backend: Backend | undefined;
let harness: Stage;

describeLitecoin('webhooks about a payment, to an unreliable endpoint', () => {
  beforeAll(async () => {
    node = await startLitecoind();
    const world = createWorld(node);
    backend = await createAnyBackend();
    const shop = await openShop({
      world,
      env: backend.env,
      async reachReceiver(url) {
        line = await createTcpProxy({ host: url.hostname, port: Number(url.port) });
        url.port = String(line.port);
        return url.href;
      },
    });
    harness = { world, customer: createCustomer(world), shop };
  });
  afterAll(async () => {
    await harness?.shop.close();
    await backend?.remove();
    await line?.close();
    await node?.stop();
  });

  test('every event arrives once it can, with the same id and the same bytes on every attempt', async () => {
    const { shop, customer, world } = harness;
    shop.receiver.usually({ kind: 'status', status: 500 });
    const transaction = await shop.create();
    const { transaction_id: id } = transaction;
    await customer.pay(transaction.deposit_address, dueLitoshi(transaction));
    await comesTo(harness, id, 'awaiting_confirmation');
    await customer.mine(CONFIRMATIONS);
    await comesTo(harness, id, 'completed');
    await webhooksArrived(shop, id, 3);

    await line?.cut();
    await deliveriesWait(1, 3);
    world.advance((RETRY_DELAYS_MS[0] ?? 0) * JITTER_FACTOR);
    await deliveriesWait(2, 3);
    expect(shop.webhooksOf(id)).toHaveLength(3);

    shop.receiver.usually(OK);
    await line?.repair();
    world.advance((RETRY_DELAYS_MS[1] ?? 0) * JITTER_FACTOR);
    await waitFor(
      async () => shop.webhooksOf(id).length >= 6 || null,
      () => `6 webhooks were expected; got ${shop.webhooksOf(id).length}`,
    );

    const webhooks = shop.webhooksOf(id);
    for (const [index, event] of ['created', 'pending', 'completed'].entries()) {
      const attempts = webhooks.filter((webhook) => webhook.event === `payment.${event}`);
      expect(attempts.map((webhook) => webhook.attempt).toSorted((one, other) => one - other)).toEqual([1, 3]);
      expect(valuesOf(attempts, 'sequence')).toEqual([index + 1]);
      expect(valuesOf(attempts, 'id')).toHaveLength(1);
      expect(valuesOf(attempts, 'body')).toHaveLength(1);
    }
    expect(valuesOf(webhooks, 'id')).toHaveLength(3);
    expect(webhooks.filter((webhook) => !webhook.isGenuine)).toEqual([]);
  });
});

// Helpers

function valuesOf<K extends keyof ShopWebhook>(webhooks: readonly ShopWebhook[], field: K): ShopWebhook[K][] {
  return [...new Set(webhooks.map((webhook) => webhook[field]))];
}

/** Waits until this many deliveries have made this attempt and wait for the next one. */
async function deliveriesWait(attempt: number, count: number): Promise<void> {
  const [secrets] = await harness.shop.service.secrets();
  const path = `/webhooks/endpoints/${secrets?.webhooks[0]?.id}/deliveries?state=waiting`;
  let waiting = 0;
  await waitFor(
    async () => {
      const { body } = await harness.shop.call<{ data: { deliveries: { attempt: number }[] } }>('GET', path);
      waiting = body.data.deliveries.filter((delivery) => delivery.attempt === attempt).length;
      return waiting === count || null;
    },
    () => `${count} deliveries were expected to wait after attempt ${attempt}; there were ${waiting}`,
  );
}
