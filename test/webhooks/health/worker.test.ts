import { afterEach, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../machines/index.ts';
import { newId } from '../../../src/platform/ids.ts';
import { createLogger } from '../../../src/platform/log.ts';
import type { PollLoop } from '../../../src/platform/poll-loop.ts';
import { createHealthWorker } from '../../../src/webhooks/index.ts';
import { createTestClock, START_MS } from '../../support/clock.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { OK, type Receiver, startReceiver } from '../../support/outside/receiver.ts';
import { POLLING } from '../../support/polling.ts';
import { silentLog } from '../../support/silent-log.ts';
import { addEndpoint, createMerchant, raiseEvent, startWebhookService, type WebhookService } from '../harness.ts';
import { openShop } from './shop.ts';

describePostgres('the health worker, with real deliveries to a real receiver', () => {
  let database: TestDatabase | undefined;
  let receiver: Receiver | undefined;
  let service: WebhookService | undefined;
  let workers: PollLoop[] = [];

  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    workers = [];
    await service?.stop();
    await receiver?.close();
    await database?.drop();
  });

  test('notifies a merchant that its endpoint fails, and that it works again', async () => {
    const connection = await createPostgresDatabase();
    database = connection;
    const { db } = connection;
    const own = await startReceiver();
    receiver = own;
    own.usually({ kind: 'status', status: 503 });
    const running = await startWebhookService({ connection });
    service = running;
    const { clock } = running;
    const merchantId = await createMerchant(connection);
    const user = { id: newId('usr'), merchant_id: merchantId, email: 'owner@shop.example', password_hash: 'none' };
    await db.insertInto('merchant_user').values(user).execute();
    const { id: endpointId } = await addEndpoint(connection, { merchantId, url: own.url });
    for (let raised = 0; raised < 4; raised += 1) await raiseEvent(running, connection, { merchantId });
    const endpoint = () =>
      db.selectFrom('webhook_endpoint').selectAll().where('id', '=', endpointId).executeTakeFirstOrThrow();
    await vi.waitFor(async () => {
      expect(own.requests.length).toBeGreaterThanOrEqual(4);
      expect(await endpoint()).toMatchObject({ failing_since: START_MS });
    }, POLLING);

    workers = [1, 2].map(() => createHealthWorker({ db, clock, log: silentLog, checkEveryMs: 10 }));
    for (const worker of workers) worker.start();
    clock.advance(HOUR_MS);
    const subjects = async () => {
      const rows = await db.selectFrom('mail').select('subject').orderBy('created_at').execute();
      return rows.map(({ subject }) => subject);
    };
    const host = `127.0.0.1:${own.port}`;
    const failing = `Webhooks to ${host} are failing`;
    await vi.waitFor(async () => expect(await subjects()).toEqual([failing]), POLLING);

    own.usually(OK);
    // Each delivery has a retry within a day, wherever its schedule stands.
    for (let hours = 0; hours < DAY_MS / HOUR_MS && (await endpoint()).failing_since !== null; hours += 1) {
      clock.advance(HOUR_MS);
      await raiseEvent(running, connection, { merchantId });
      await vi.waitFor(async () => {
        const sending = db.selectFrom('webhook_delivery').select('id').where('state', '=', 'sending');
        expect(await sending.execute()).toEqual([]);
      }, POLLING);
    }
    await vi.waitFor(
      async () => expect(await subjects()).toEqual([failing, `Webhooks to ${host} work again`]),
      POLLING,
    );
  });

  test('skips an endpoint while it is being changed, and checks the others meanwhile', async () => {
    const connection = await createPostgresDatabase();
    database = connection;
    const clock = createTestClock();
    const shops = [await openShop(connection, clock), await openShop(connection, clock)];
    for (const shop of shops) await shop.attempt(['failure', 'failure', 'failure', 'failure']);
    clock.advance(HOUR_MS);
    const sent = () => Promise.all(shops.map(async (shop) => (await shop.notices()).length));
    await connection.db.transaction().execute(async (trx) => {
      const [changed] = shops;
      await trx
        .selectFrom('webhook_endpoint')
        .select('id')
        .where('id', '=', changed?.endpointId ?? '')
        .forNoKeyUpdate()
        .execute();
      for (const shop of shops) await shop.check();
      expect(await sent()).toEqual([0, 1]);
    });
    for (const shop of shops) await shop.check();
    expect(await sent()).toEqual([1, 1]);
  });

  test('logs once that the database is down, and continues when it is back', async () => {
    const connection = await createPostgresDatabase();
    database = connection;
    const lines: string[] = [];
    let isAway = true;
    const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
    let looks = 0;
    const db = new Proxy(connection.db, {
      get(target, name) {
        looks += 1;
        if (isAway) throw new Error('connection terminated');
        return Reflect.get(target, name) as unknown;
      },
    });
    const worker = createHealthWorker({ db, clock: { now: () => START_MS }, log, checkEveryMs: 1 });
    workers = [worker];
    worker.start();
    await vi.waitFor(() => expect(looks).toBeGreaterThan(5), POLLING);
    expect(lines).toHaveLength(1);
    isAway = false;
    const before = looks;
    await vi.waitFor(() => expect(looks).toBeGreaterThan(before + 5), POLLING);
    expect(lines).toHaveLength(1);
  });
});
