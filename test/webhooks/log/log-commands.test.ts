import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../../src/platform/ids.ts';
import { createReplayWorker } from '../../../src/webhooks/index.ts';
import { runInProcess } from '../../e2e/run-to-end.ts';
import { createTestClock } from '../../support/clock.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { silentLog } from '../../support/silent-log.ts';
import { type FakeSender, startFakeSender } from '../fake-sender.ts';
import { addEndpoint, createMerchant, deliveryOf, raiseEvent } from '../harness.ts';

/** At the full level every command is a separate process, which is slow on a busy machine. */
const TIMEOUT_MS = 180_000;

describePostgres('quittance webhook deliveries, redeliver and replay', () => {
  vi.setConfig({ testTimeout: TIMEOUT_MS });
  let database: TestDatabase;
  let folder: string;
  let service: FakeSender;
  let merchant: string;
  let endpointId: string;
  let merchantId: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quittance-webhooks-'));
    database = await createPostgresDatabase();
    service = await startFakeSender(database, createTestClock(Date.now()));
    merchantId = await createMerchant(database);
    const row = await database.db
      .selectFrom('merchant')
      .select('name')
      .where('id', '=', merchantId)
      .executeTakeFirstOrThrow();
    merchant = row.name;
    endpointId = (await addEndpoint(database, { merchantId, url: 'https://shop.example/webhooks' })).id;
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  function quittance(command: string, ...args: readonly string[]) {
    const env = { DATABASE_URL: database.url ?? '', DATA_DIR: folder };
    return runInProcess(['webhook', command, '--merchant', merchant, ...args], { cwd: folder, env });
  }
  async function asJson<T>(...args: readonly [string, ...string[]]): Promise<T> {
    const { code, stdout, stderr } = await quittance(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as T;
  }
  async function responded(how: 'taken' | 'refused') {
    const event = await raiseEvent(service, database, { merchantId });
    const { id: deliveryId } = await deliveryOf(database, event.id);
    await vi.waitFor(async () => expect(await service.respond(how, deliveryId)).toBe(true), POLLING);
    return { event, deliveryId };
  }

  test('show what was sent to an endpoint, about a transaction, and one delivery with its attempts', async () => {
    const { event, deliveryId } = await responded('taken');
    const waiting = await responded('refused');
    const listed = await asJson<{ counts: object; deliveries: object[] }>(
      'deliveries',
      '--endpoint',
      endpointId,
      '--state',
      'waiting',
    );
    expect(listed.counts).toEqual({ delivered: 1, failed: 0, waiting: 1, held: 0 });
    expect(listed.deliveries).toMatchObject([{ delivery_id: waiting.deliveryId, state: 'waiting', attempt: 1 }]);
    const table = (await quittance('deliveries', '--endpoint', endpointId)).stdout;
    expect(table).toContain('In 24 hours: 1 delivered, 0 failed. Waiting now: 1.');
    expect(table).toMatch(
      new RegExp(`^${deliveryId} +payment\\.completed +${event.transactionId} +delivered +1 `, 'm'),
    );
    expect(await asJson('deliveries', '--transaction', event.transactionId ?? '')).toMatchObject({
      events: [{ event_id: event.id, deliveries: [{ delivery_id: deliveryId, state: 'delivered' }] }],
    });
    const shown = await asJson<{ body: string; attempts: object[] }>('deliveries', '--delivery', deliveryId);
    expect(shown).toMatchObject({ body: event.body, attempts: [{ attempt: 1 }] });
    expect((await quittance('deliveries', '--delivery', deliveryId)).stdout).toContain(event.body);
  });

  test('send one again, and start a replay that the service processes', async () => {
    const { event, deliveryId } = await responded('taken');
    const again = await asJson<{ outcome: string; delivery_id: string }>('redeliver', '--delivery', deliveryId);
    expect(again.outcome).toBe('started');
    await vi.waitFor(async () => expect(await service.respond('taken', again.delivery_id)).toBe(true), POLLING);
    expect(service.posts.filter(({ eventId }) => eventId === event.id).map(({ attempt }) => attempt)).toEqual([1, 2]);

    const since = new Date(Date.now() - 60_000).toISOString();
    const begun = await asJson<{ replay_id: string }>('replay', '--endpoint', endpointId, '--since', since);
    const { runtime, clock } = service;
    const worker = createReplayWorker({ db: database.db, engine: runtime.engine, clock, log: silentLog });
    worker.start();
    await vi.waitFor(async () => {
      const row = await database.db.selectFrom('webhook_replay').select('state').executeTakeFirstOrThrow();
      expect(row.state).toBe('done');
    }, POLLING);
    await worker.stop();
    expect((await quittance('replay', '--replay', begun.replay_id, '--cancel')).stdout).toContain(
      `${begun.replay_id} of ${endpointId} is done`,
    );
  });

  test.each<[string, readonly [string, ...string[]], RegExp]>([
    ['nothing to look at', ['deliveries'], /pass --endpoint, --transaction or --delivery/],
    ['a state there is not', ['deliveries', '--endpoint', 'x', '--state', 'lost'], /must be one of sending/],
    ['a delivery there is not', ['redeliver', '--delivery', newId('dlv')], /There is no webhook delivery/],
    ['an endpoint there is not', ['deliveries', '--endpoint', newId('whk')], /There is no webhook endpoint/],
    ['a replay without a beginning', ['replay', '--endpoint', 'x'], /--endpoint and --since/],
    ['a day there is not', ['replay', '--endpoint', 'x', '--since', '2026-02-30'], /must be a time such as/],
    ['a moment long ago', ['replay', '--endpoint', newId('whk'), '--since', '2020-01-01'], /at most 60 days ago/],
  ])('%s is a named error', async (_, args, problem) => {
    const result = await quittance(...args);
    expect(result.stderr).toMatch(problem);
    expect([result.code, result.stdout]).toEqual([1, '']);
  });
});
