import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../../../demo/customer.ts';
import { CONFIRMATIONS, dueLitoshi, type Stage, windowPasses } from '../../../demo/scenarios.ts';
import { openShop } from '../../../demo/shop.ts';
import { waitFor } from '../../../demo/wait.ts';
import { createWorld } from '../../../demo/world.ts';
import type { TransactionView } from '../../../src/payments/index.ts';
import { type Litecoind, startLitecoind } from '../../support/nodes/litecoind.ts';
import { createTcpProxy, type TcpProxy } from '../../support/outside/tcp-proxy.ts';
import { type Backend, createAnyBackend, describeLitecoin } from '../backends.ts';
import { comesTo, expectStatus, expectWebhooks } from '../expectations.ts';

let node: Litecoind | undefined;
let line: TcpProxy | undefined;
let backend: Backend | undefined;
let harness: Stage;

describeLitecoin('payments while no watcher polls the chain', () => {
  beforeAll(async () => {
    node = await startLitecoind();
    const world = createWorld(node);
    const rpcUrl = new URL(node.rpcUrl);
    line = await createTcpProxy({ host: rpcUrl.hostname, port: Number(rpcUrl.port) });
    rpcUrl.port = String(line.port);
    backend = await createAnyBackend();
    const shop = await openShop({ world, rpcUrl: rpcUrl.href, env: backend.env });
    harness = { world, customer: createCustomer(world), shop };
  });
  afterAll(async () => {
    await harness?.shop.close();
    await backend?.remove();
    await line?.close();
    await node?.stop();
  });

  test('rule 2: a window that closes while the node is down stays open, and coins in time are never late', async () => {
    const { shop, customer, world } = harness;
    const [inBlock, inMempool, late, never] = [
      await shop.create(),
      await shop.create(),
      await shop.create(),
      await shop.create(),
    ];
    const all = [inBlock, inMempool, late, never];
    const canary = await createTestPayment();

    await line?.cut();
    await watcherIsBlind();
    await payFor(inBlock);
    await customer.mine(1);
    await payFor(inMempool);
    await world.node.rpc('savemempool');
    await world.node.kill();
    await windowPasses(harness);
    // Test payments live on a simulated network, which is never unreachable: once this one expires,
    // the others would have expired too.
    await testPaymentExpires(canary);
    for (const { transaction_id: id } of all) await expectStatus(harness, id, 'pending');

    await world.node.restart();
    await mempoolIsLoaded();
    await payFor(late);
    await line?.repair();
    await comesTo(harness, inBlock.transaction_id, 'awaiting_confirmation');
    await comesTo(harness, inMempool.transaction_id, 'awaiting_confirmation');
    await comesTo(harness, late.transaction_id, 'expired (paid_late)');
    await comesTo(harness, never.transaction_id, 'expired');
    await customer.mine(CONFIRMATIONS);
    for (const { transaction_id: id } of [inBlock, inMempool]) {
      await comesTo(harness, id, 'completed');
      await expectWebhooks(shop, id, ['created', 'pending', 'completed']);
    }
    await expectWebhooks(shop, late.transaction_id, ['created', 'expired', 'paid_late']);
    await expectWebhooks(shop, never.transaction_id, ['created', 'expired']);
    expect(blindLines()).toHaveLength(1);
  });

  test('coins that arrived in time while the service itself was down are not late either', async () => {
    const { shop, customer } = harness;
    const [mined, waiting, unpaid] = [await shop.create(), await shop.create(), await shop.create()];
    await shop.service.stop();
    await payFor(mined);
    await customer.mine(1);
    await payFor(waiting);
    await windowPasses(harness);
    await shop.service.start();
    await comesTo(harness, mined.transaction_id, 'awaiting_confirmation');
    await comesTo(harness, waiting.transaction_id, 'awaiting_confirmation');
    await comesTo(harness, unpaid.transaction_id, 'expired');
    await customer.mine(CONFIRMATIONS);
    for (const { transaction_id: id } of [mined, waiting]) {
      await comesTo(harness, id, 'completed');
      await expectWebhooks(shop, id, ['created', 'pending', 'completed']);
    }
    await expectWebhooks(shop, unpaid.transaction_id, ['created', 'expired']);
  });
});

// Helpers

function payFor({ deposit_address, amount_crypto }: TransactionView): Promise<string> {
  return harness.customer.pay(deposit_address, dueLitoshi({ amount_crypto }));
}

function blindLines() {
  return harness.shop.service.logLines.filter((each) => each.msg === 'polling failed');
}

async function watcherIsBlind(): Promise<void> {
  await waitFor(
    async () => (blindLines().length > 0 ? true : null),
    () => 'the watcher did not report that it cannot poll',
  );
}

/** The node answers before it has finished loading the saved transactions. */
async function mempoolIsLoaded(): Promise<void> {
  const isLoaded = async () =>
    (await harness.world.node.rpc<{ loaded: boolean }>('getmempoolinfo')).loaded === true || null;
  await waitFor(isLoaded, () => 'the node did not load its mempool');
}

async function testKey(): Promise<string> {
  const [secrets] = await harness.shop.service.secrets();
  return secrets?.keys?.sk_test ?? '';
}

async function createTestPayment(): Promise<string> {
  const options = { key: await testKey(), body: { crypto: 'LTC', amount: 25 } };
  const response = await harness.shop.call<{ data: TransactionView }>('POST', '/transactions/create', options);
  return response.body.data.transaction_id;
}

async function testPaymentExpires(id: string): Promise<void> {
  const key = await testKey();
  const isExpired = async () => {
    const { body } = await harness.shop.call<{ data: TransactionView }>('GET', `/transactions/${id}`, { key });
    return body.data.status === 'expired' || null;
  };
  await waitFor(isExpired, () => 'the test payment did not expire');
}
