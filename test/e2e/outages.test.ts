import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../../demo/customer.ts';
import { CONFIRMATIONS, dueLitoshi, type Stage } from '../../demo/scenarios.ts';
import { openShop, type Shop, type ShopOptions } from '../../demo/shop.ts';
import { waitFor } from '../../demo/wait.ts';
import { createWorld, type World } from '../../demo/world.ts';
import type { TransactionView } from '../../src/payments/index.ts';
import { createDatabaseLine } from '../support/database/database-line.ts';
import { createPostgresDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { type Litecoind, startLitecoind } from '../support/nodes/litecoind.ts';
import type { TcpProxy } from '../support/outside/tcp-proxy.ts';
import { describeWith } from '../support/run/components.ts';
import { level } from '../support/run/level.ts';
import { createNatsServer, type OwnNatsServer } from '../support/service/nats.ts';
import { LEVEL, type LogLine } from '../support/service/service.ts';
import { describeServers } from './backends.ts';
import { comesTo, expectWebhooks, paymentsAre } from './expectations.ts';

const COMPLETED = ['created', 'pending', 'completed'];

let node: Litecoind | undefined;
let world: World;
let database: TestDatabase | undefined;
let shop: Shop | undefined;
let harness: Stage;

async function openStage(options: Omit<ShopOptions, 'world'>): Promise<void> {
  shop = await openShop({ world, ...options });
  harness = { world, shop, customer: createCustomer(world) };
}

beforeAll(async () => {
  node = await startLitecoind();
  world = createWorld(node);
});
afterAll(() => node?.stop());
afterEach(async () => {
  await shop?.close();
  shop = undefined;
  await database?.drop();
  database = undefined;
});

const describeWithNats = describeWith('postgres', 'litecoind', 'natsServer');

describeWithNats('a NATS server that goes down', () => {
  let nats: OwnNatsServer;

  beforeAll(async () => {
    nats = await createNatsServer();
  });
  afterEach(() => nats.kill());
  afterAll(() => nats?.remove());

  test('while it is down payments are created, and the backlog is processed when it is back', async () => {
    await nats.start();
    await openNatsStage();
    const before = await harness.shop.create();
    await expectWebhooks(harness.shop, before.transaction_id, ['created']);

    await nats.kill();
    const meanwhile = await harness.shop.create();
    await payFor(before);
    await payFor(meanwhile);
    await world.node.mine(1);
    await healthIs('degraded', 200);
    expect((await harness.shop.get(meanwhile.transaction_id)).status).toBe('pending');

    await nats.start();
    await healthIs('ok', 200);
    if (!level.isFull) await ageMessages();
    for (const { transaction_id: id } of [before, meanwhile]) await comesTo(harness, id, 'awaiting_confirmation');
    await harness.customer.mine(CONFIRMATIONS);
    for (const { transaction_id: id } of [before, meanwhile]) {
      await comesTo(harness, id, 'completed');
      // Messages that NATS had not seen acknowledged when it died are redelivered.
      await expectWebhooks(harness.shop, id, COMPLETED, { mayRepeat: true });
    }
  });

  // At the quick level test/platform/bus/nats-outages.test.ts covers this.
  if (level.isFull)
    test('a service that starts without it accepts payments, and processes them when it comes up', async () => {
      await openNatsStage();
      const transaction = await harness.shop.create();
      await payFor(transaction);
      await harness.customer.mine(1);
      await nats.start();
      await comesTo(harness, transaction.transaction_id, 'awaiting_confirmation');
      await harness.customer.mine(CONFIRMATIONS);
      await comesTo(harness, transaction.transaction_id, 'completed');
      await expectWebhooks(harness.shop, transaction.transaction_id, COMPLETED);
    });

  /**
   * A message that was refused is published again 10 s after it was created. The full level waits
   * for that; at the quick level test/platform/engine/outbox.test.ts covers it.
   */
  async function ageMessages(): Promise<void> {
    await database?.db
      .updateTable('outbox_message')
      .set({ created_at: sql`created_at - interval '10 seconds'` })
      .execute();
  }

  async function openNatsStage(): Promise<void> {
    database = await createPostgresDatabase();
    await openStage({ env: { DATABASE_URL: database.url ?? '', NATS_URL: nats.url } });
  }
});

describeServers('a database that goes down', () => {
  let line: TcpProxy;

  afterEach(() => line.close());

  // At the quick level test/platform/db/dead-connections.test.ts covers this.
  if (level.isFull)
    test('when its connections go silent networks are still watched and payments complete, over new ones', async () => {
      await openStage({ env: { DATABASE_URL: await databaseOverLine() } });
      const transaction = await harness.shop.create();
      await payFor(transaction);
      await comesTo(harness, transaction.transaction_id, 'awaiting_confirmation');
      expect(line.silence()).toBeGreaterThan(0);
      await harness.customer.mine(CONFIRMATIONS);
      // Requests on a connection not yet detected as dead get a retryable error, so this polls the
      // row instead.
      await waitFor(
        async () => (await storedStatus(transaction)) === 'completed' || null,
        () => 'the payment did not complete',
      );
      await expectWebhooks(harness.shop, transaction.transaction_id, COMPLETED);
      await healthIs('ok', 200);
      const next = await harness.shop.create();
      await payFor(next);
      await comesTo(harness, next.transaction_id, 'awaiting_confirmation');
    });

  // At the quick level test/http/api/outages/outages.test.ts covers the responses, and
  // test/platform/db/dead-connections.test.ts that work goes on.
  if (level.isFull)
    test('while it is down requests are asked to retry, with one log line; then everything recovers automatically', async () => {
      await openStage({ env: { DATABASE_URL: await databaseOverLine() } });
      const { service } = harness.shop;
      const transaction = await harness.shop.create();
      await payFor(transaction);
      await comesTo(harness, transaction.transaction_id, 'awaiting_confirmation');

      const sent = service.logLines.length;
      await line.cut();
      await isAskedToRetry('GET', `/transactions/${transaction.transaction_id}`);
      await isAskedToRetry('POST', '/transactions/create', { crypto: 'LTC', amount: 25 });
      await healthIs('degraded', 503);
      await harness.customer.mine(CONFIRMATIONS);
      await waitFor(
        async () => alarmsSince(sent).length > 0 || null,
        () => 'no log line says that the database is gone',
      );

      await line.repair();
      await comesTo(harness, transaction.transaction_id, 'completed');
      await healthIs('ok', 200);
      await paymentsAre(harness, transaction.transaction_id, ['confirmed']);
      await expectWebhooks(harness.shop, transaction.transaction_id, COMPLETED, { mayRepeat: true });
      const second = await harness.shop.create();
      expect(second.deposit_address).not.toBe(transaction.deposit_address);
      const alarms = alarmsSince(sent);
      // Each component that lost the database may log it once.
      expect(new Set(alarms.map((each) => each.msg)).size).toBe(alarms.length);
      expect(alarms.filter((each) => 'err' in each)).toEqual([]);
    });

  // At the quick level the next test covers the start, and test/e2e/chains/node-outages.test.ts
  // coins that came while the service was down.
  if (level.isFull)
    test('a service that starts without it listens, asks requests to retry, and serves when it comes up', async () => {
      const url = await databaseOverLine();
      await openStage({ env: { DATABASE_URL: url } });
      const transaction = await harness.shop.create();
      const { service } = harness.shop;
      await service.stop();
      await payFor(transaction);

      await line.cut();
      const sent = service.logLines.length;
      const started = service.start();
      await waitFor(
        async () => alarmsSince(sent).length > 0 || null,
        () => 'no log line says that the database is missing',
      );
      await isAskedToRetry('GET', `/transactions/${transaction.transaction_id}`);
      expect(alarmsSince(sent)).toMatchObject([{ level: LEVEL.error, msg: expect.stringContaining('DATABASE_URL') }]);

      await line.repair();
      await started;
      await comesTo(harness, transaction.transaction_id, 'awaiting_confirmation');
      await harness.customer.mine(CONFIRMATIONS);
      await comesTo(harness, transaction.transaction_id, 'completed');
      await expectWebhooks(harness.shop, transaction.transaction_id, COMPLETED);
    });

  test('a service that waits for its database listens, asks requests to retry, and can be stopped', async () => {
    const url = await databaseOverLine();
    await openStage({ env: { DATABASE_URL: url } });
    const { service } = harness.shop;
    await service.stop();
    await line.cut();
    const sent = service.logLines.length;
    const started = service.start().catch((error: unknown) => error);
    await waitFor(
      async () => alarmsSince(sent).length > 0 || null,
      () => 'no log line says that the database is missing',
    );
    await isAskedToRetry('GET', '/transactions/list');
    expect(alarmsSince(sent)).toMatchObject([{ level: LEVEL.error, msg: expect.stringContaining('DATABASE_URL') }]);
    await service.stop();
    await started;
    await line.repair();
    await service.start();
    await healthIs('ok', 200);
  });

  async function storedStatus({ transaction_id: id }: TransactionView): Promise<string | undefined> {
    const row = await database?.db.selectFrom('transaction').select('status').where('id', '=', id).executeTakeFirst();
    return row?.status;
  }

  /** Creates a database that is reached over a connection that can be cut. */
  async function databaseOverLine(): Promise<string> {
    database = await createPostgresDatabase();
    const reached = await createDatabaseLine(database);
    line = reached.line;
    return reached.url;
  }
});

// Helpers

async function payFor({ deposit_address, amount_crypto }: TransactionView): Promise<void> {
  await harness.customer.pay(deposit_address, dueLitoshi({ amount_crypto }));
}

/** Errors logged since that number of lines. Rejected requests are warnings. */
function alarmsSince(lines: number): LogLine[] {
  return harness.shop.service.logLines.slice(lines).filter((line) => line.level >= LEVEL.error);
}

async function healthIs(status: string, httpStatus: number): Promise<void> {
  let last: unknown;
  const ask = async () => {
    const response = await harness.shop.call<{ status: string }>('GET', '/health');
    last = [response.status, response.body];
    return (response.status === httpStatus && response.body.status === status) || null;
  };
  await waitFor(ask, () => `/health answers ${JSON.stringify(last)}`);
}

async function isAskedToRetry(method: string, path: string, body?: unknown): Promise<void> {
  const response = await harness.shop.call<{ error: string }>(method, path, { body });
  expect(response).toMatchObject({ status: 500, body: { success: false, error: expect.any(String) } });
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
}
