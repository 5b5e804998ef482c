import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../../../demo/customer.ts';
import { CONFIRMATIONS, dueLitoshi } from '../../../demo/scenarios.ts';
import { webhooksAbout } from '../../../demo/shop.ts';
import { waitFor } from '../../../demo/wait.ts';
import { createWorld, type World } from '../../../demo/world.ts';
import { type Litecoind, startLitecoind } from '../../support/nodes/litecoind.ts';
import { type Receiver, startReceiver } from '../../support/outside/receiver.ts';
import { level } from '../../support/run/level.ts';
import {
  type Backend,
  createEmbeddedBackend,
  createServerBackend,
  describeLitecoin,
  describeServers,
  endLeases,
} from '../backends.ts';
import { litecoinSettings, type ShopProcess, startShop, writeShopFile } from '../shop-process.ts';

let node: Litecoind | undefined;
let world: World;

beforeAll(async () => {
  node = await startLitecoind();
  world = createWorld(node);
});
afterAll(() => node?.stop());

if (level.isFull) {
  describeLitecoin('the command, killed in the middle of a payment, with everything in one process', () => {
    killIn(createEmbeddedBackend);
  });
}
describeServers('the command, killed in the middle of a payment, with Postgres and NATS', () => {
  killIn(createServerBackend);
});

function killIn(createBackend: () => Promise<Backend>): void {
  let backend: Backend | undefined;
  let receiver: Receiver;
  let folder = '';
  let shop: ShopProcess | undefined;

  beforeAll(async () => {
    backend = await createBackend();
    receiver = await startReceiver();
    folder = await mkdtemp(join(tmpdir(), 'quittance-crash-'));
    await backend.prepare(folder);
    await writeShopFile(folder, { webhookUrl: receiver.url });
  });
  afterAll(async () => {
    await shop?.command.kill();
    await receiver?.close();
    await backend?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(): Promise<ShopProcess> {
    shop = await startShop(folder, { ...litecoinSettings(world.node.rpcUrl), ...backend?.env }, receiver);
    return shop;
  }

  async function killAndStart(): Promise<ShopProcess> {
    await shop?.command.kill();
    // The full level waits until the lease has expired; at the quick level
    // test/payments/watching/chain-lease.test.ts and run-while-leader.test.ts there cover this.
    if (!level.isFull) await endLeases(backend?.env.DATABASE_URL ?? '');
    return start();
  }

  test('everything that was answered is kept, the payment completes, and every event is sent', {
    timeout: 120_000,
  }, async () => {
    const customer = createCustomer(world);
    // The quick level crashes once, after the payment was created and paid;
    // test/webhooks/kill.test.ts covers a crash while webhooks are being sent.
    let { live } = await start();
    const { transaction_id: id, ...created } = await live.create();
    if (level.isFull) ({ live } = await killAndStart());
    expect((await live.get(id)).deposit_address).toBe(created.deposit_address);

    await customer.pay(created.deposit_address, dueLitoshi(created));
    ({ live } = await killAndStart());
    await live.comesTo(id, 'awaiting_confirmation');
    if (level.isFull) ({ live } = await killAndStart());
    await customer.mine(CONFIRMATIONS);
    await live.comesTo(id, 'completed');
    if (level.isFull) ({ live } = await killAndStart());

    const sent = () => webhooksAbout(receiver, id);
    const ids = () => new Set(sent().map((webhook) => webhook.id));
    await waitFor(
      async () => ids().size >= 3 || null,
      () => `three events were expected; got ${sent().map((webhook) => webhook.event)}`,
    );
    const inOrder = sent().toSorted((one, other) => one.sequence - other.sequence);
    // A webhook may be repeated when the service died before it recorded the response; the bytes
    // must then be identical.
    expect([...new Set(inOrder.map(({ sequence, event }) => `${sequence} ${event}`))]).toEqual([
      '1 payment.created',
      '2 payment.pending',
      '3 payment.completed',
    ]);
    expect(new Set(inOrder.map((webhook) => webhook.body)).size).toBe(3);
    expect(inOrder.filter((webhook) => !webhook.isGenuine)).toEqual([]);
    const second = await live.create();
    expect(second.deposit_address).not.toBe(created.deposit_address);
  });
}
