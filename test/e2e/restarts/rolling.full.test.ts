import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../../../demo/customer.ts';
import { CONFIRMATIONS, dueLitoshi } from '../../../demo/scenarios.ts';
import { waitFor } from '../../../demo/wait.ts';
import { createWorld } from '../../../demo/world.ts';
import type { TransactionView } from '../../../src/payments/index.ts';
import { connect } from '../../../src/platform/db/index.ts';
import { findFreePort } from '../../support/free-port.ts';
import { type Litecoind, startLitecoind } from '../../support/nodes/litecoind.ts';
import { type Balancer, startBalancer } from '../../support/outside/haproxy.ts';
import { type Receiver, startReceiver } from '../../support/outside/receiver.ts';
import { describeWith } from '../../support/run/components.ts';
import { type Backend, createServerBackend } from '../backends.ts';
import { COMPLETES_WITHIN_MS, type MerchantLoad, startMerchantLoad } from '../merchant-load.ts';
import { createShopClient, litecoinSettings, readSecrets, writeShopFile } from '../shop-process.ts';
import { createRoleProcess, type RoleProcess } from './rolling-processes.ts';

/** Characters of the last output to print for a process that did not exit cleanly. */
const SHOWN_OUTPUT = 3_000;
const LIVE_PAYMENTS = 3;
/** Longer than the example's load balancer needs to notice. */
const DRAIN_DELAY_SECONDS = '2';

const describeRolling = describeWith('postgres', 'litecoind', 'nats', 'haproxy');

describeRolling('two processes of every role behind a load balancer, each restarted in turn under load', () => {
  let node: Litecoind | undefined;
  let backend: Backend | undefined;
  let receiver: Receiver | undefined;
  let balancer: Balancer | undefined;
  let load: MerchantLoad | undefined;
  let processes: RoleProcess[] = [];
  let folder = '';

  beforeAll(async () => {
    node = await startLitecoind();
    backend = await createServerBackend();
    receiver = await startReceiver();
    folder = await mkdtemp(join(tmpdir(), 'quittance-rolling-'));
  });
  afterAll(async () => {
    await load?.stop();
    await Promise.all(processes.map((each) => each.kill()));
    processes = [];
    await balancer?.stop();
    await receiver?.close();
    await backend?.remove();
    await node?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('no merchant sees an error, every payment completes, and every webhook is sent exactly once', {
    timeout: 600_000,
  }, async () => {
    if (node === undefined || backend === undefined || receiver === undefined) throw new Error('not set up');
    const [port, statusPort] = [await findFreePort(), await findFreePort()];
    const env = {
      ...litecoinSettings(node.rpcUrl),
      ...backend.env,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      SECRETS_KEY: 'ab'.repeat(32),
      PLANS: 'off',
      TRUSTED_PROXIES: '127.0.0.0/8',
      DRAIN_DELAY_SECONDS,
    };
    await writeShopFile(folder, { webhookUrl: receiver.url });
    const create = (name: string, role: string, args: readonly string[] = []) =>
      createRoleProcess(name, { cwd: folder, env: { ...env, ROLES: role }, args });
    processes = [
      await create('api 1', 'api', ['--provision', 'merchants.json', '--out', 'secrets.json']),
      await create('api 2', 'api'),
      await create('worker 1', 'worker'),
      await create('worker 2', 'worker'),
      await create('watcher 1', 'watcher'),
      await create('watcher 2', 'watcher'),
    ];
    const [first, second, ...others] = processes as [RoleProcess, RoleProcess, ...RoleProcess[]];
    // The first process creates the schema and the keys.
    await first.start();
    await Promise.all([second, ...others].map((each) => each.start()));
    const running = await startBalancer([first.apiAddress, second.apiAddress], { port, statusPort });
    balancer = running;
    await bothServe(running);
    const { keys } = await readSecrets(folder);
    const shop = createShopClient(running.url, keys.sk_live);

    const customer = createCustomer(createWorld(node));
    const live: TransactionView[] = [];
    for (let count = 0; count < LIVE_PAYMENTS; count += 1) live.push(await shop.create());
    load = startMerchantLoad(running.url, keys.sk_test);
    for (const [index, each] of processes.entries()) {
      const before = load.completed.length;
      const { code, complaints } = await each.stop();
      expect(complaints, each.name).toEqual([]);
      expect(code, `${each.name}: ${each.output().slice(-SHOWN_OUTPUT)}`).toBe(0);
      // Coins move while one of two processes is stopped.
      const paid = live[index - processes.length + LIVE_PAYMENTS];
      if (paid !== undefined) await customer.pay(paid.deposit_address, dueLitoshi(paid));
      await each.start();
      await bothServe(running);
      await goesOn(load, before);
      expect(load.failures, each.name).toEqual([]);
    }
    await customer.mine(CONFIRMATIONS);
    for (const { transaction_id: id } of live) await shop.comesTo(id, 'completed');
    await load.stop();
    expect(load.failures).toEqual([]);
    expect(load.responded).toBeGreaterThanOrEqual(load.completed.length * 7);

    const ids = [...load.completed, ...live.map((each) => each.transaction_id)];
    const events = await eventsWhenDelivered(backend, ids);
    const received = receiver.requests.map(({ headers }) => String(headers['webhook-id']));
    expect(new Set(received)).toEqual(new Set(events));
    expect(received.length, `came again: ${repeatedIn(received).join()}`).toBe(new Set(received).size);
    expect(events.length).toBeGreaterThanOrEqual(3 * ids.length);
  });
});

// Helpers

async function bothServe(balancer: Balancer): Promise<void> {
  await waitFor(
    async () => (await balancer.servers()) === 2 || null,
    () => 'the balancer does not give requests to both servers',
  );
}

/** A restart is complete when payments that began after it complete. */
async function goesOn(load: MerchantLoad, before: number): Promise<void> {
  await waitFor(
    async () => load.completed.length > before || load.failures.length > 0 || null,
    () => 'no payment completes any more',
    COMPLETES_WITHIN_MS,
  );
}

/** Ids of all webhook events, once every payment has ended and every delivery has succeeded. */
async function eventsWhenDelivered({ env }: Backend, transactionIds: readonly string[]): Promise<string[]> {
  const connection = await connect({ url: env.DATABASE_URL ?? '', dataDir: null, poolSize: 1 });
  const { db } = connection;
  try {
    let open: unknown[] = [];
    return await waitFor(
      async () => {
        const events = await db.selectFrom('webhook_event').select(['id', 'transaction_id', 'event']).execute();
        const deliveries = await db
          .selectFrom('webhook_delivery')
          .select(['id', 'webhook_event_id', 'state'])
          .execute();
        const sent = new Set(
          events.filter(({ event }) => event === 'payment.completed').map((each) => each.transaction_id),
        );
        const delivered = new Set(
          deliveries.filter(({ state }) => state === 'delivered').map((d) => d.webhook_event_id),
        );
        open = [...transactionIds.filter((id) => !sent.has(id)), ...events.filter(({ id }) => !delivered.has(id))];
        return open.length === 0 ? events.map(({ id }) => id) : null;
      },
      () => `not delivered: ${JSON.stringify(open).slice(0, 500)}`,
    );
  } finally {
    await connection.close();
  }
}

function repeatedIn(ids: readonly string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}
