import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../../demo/customer.ts';
import { CONFIRMATIONS, dueLitoshi, type Stage } from '../../demo/scenarios.ts';
import { openShop, type ShopWebhook } from '../../demo/shop.ts';
import { waitFor } from '../../demo/wait.ts';
import { createWorld } from '../../demo/world.ts';
import { RETRY_GAPS_MS } from '../../machines/index.ts';
import { type Litecoind, startLitecoind } from '../support/litecoind.ts';
import { OK } from '../support/receiver.ts';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { describeLitecoin } from './backends.ts';
import { comesTo, webhooksArrived } from './expectations.ts';

/** Gaps are stretched by up to a tenth. */
const JITTER_FACTOR = 1.1;

let node: Litecoind | undefined;
let line: TcpProxy | undefined;
let stage: Stage;

describeLitecoin('webhooks about a payment, to a merchant who is not always there', () => {
  beforeAll(async () => {
    node = await startLitecoind();
    const world = createWorld(node);
    const shop = await openShop({
      world,
      async reachReceiver(url) {
        line = await createTcpProxy({ host: url.hostname, port: Number(url.port) });
        url.port = String(line.port);
        return url.href;
      },
    });
    stage = { world, customer: createCustomer(world), shop };
  });
  afterAll(async () => {
    await stage?.shop.close();
    await line?.close();
    await node?.stop();
  });

  test('every event arrives once it can, with the same id and the same bytes on every attempt', async () => {
    const { shop, customer, world } = stage;
    shop.receiver.usually({ kind: 'status', status: 500 });
    const transaction = await shop.create();
    const { transaction_id: id } = transaction;
    await customer.pay(transaction.deposit_address, dueLitoshi(transaction));
    await comesTo(stage, id, 'awaiting_confirmation');
    await customer.mine(CONFIRMATIONS);
    await comesTo(stage, id, 'completed');
    await webhooksArrived(shop, id, 3);

    await line?.cut();
    await attemptsAreMade(1, 3);
    world.advance((RETRY_GAPS_MS[0] ?? 0) * JITTER_FACTOR);
    await attemptsAreMade(2, 3);
    expect(shop.webhooksOf(id)).toHaveLength(3);

    shop.receiver.usually(OK);
    await line?.mend();
    world.advance((RETRY_GAPS_MS[1] ?? 0) * JITTER_FACTOR);
    await waitFor(
      async () => shop.webhooksOf(id).length >= 6 || null,
      () => `6 webhooks were expected; got ${shop.webhooksOf(id).length}`,
    );

    const webhooks = shop.webhooksOf(id);
    for (const [place, event] of ['created', 'pending', 'completed'].entries()) {
      const attempts = webhooks.filter((webhook) => webhook.event === `payment.${event}`);
      expect(attempts.map((webhook) => webhook.attempt).toSorted((one, other) => one - other)).toEqual([1, 3]);
      expect(valuesOf(attempts, 'sequence')).toEqual([place + 1]);
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

/** Waits until the service has noted this many tries with a number; those over a cut line leave no other trace. */
async function attemptsAreMade(attempt: number, count: number): Promise<void> {
  const made = () =>
    stage.shop.service.logLines.filter((each) => each.msg === 'webhook attempt made' && each.attempt === attempt)
      .length;
  await waitFor(
    async () => made() >= count || null,
    () => `${count} tries with number ${attempt} were expected; there were ${made()}`,
  );
}
