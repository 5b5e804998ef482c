import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../demo/wait.ts';
import { connect } from '../../../src/platform/db/index.ts';
import { createDatabaseLine } from '../../support/database/database-line.ts';
import { createPostgresDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { type Receiver, startReceiver } from '../../support/outside/receiver.ts';
import { describeWith } from '../../support/run/components.ts';
import { level } from '../../support/run/level.ts';
import { createNatsServer, provideNats, type TestNats } from '../../support/service/nats.ts';
import { createTestService, LEVEL, type RunningService } from '../../support/service/service.ts';
import { createShopClient } from '../shop-process.ts';
import { statusOf } from './rolling-processes.ts';

const GIVEN_UP = 'a part of the service did not stop in time; stopping without it';
const EVENTS = ['payment.created', 'payment.pending', 'payment.completed'];
const SECRETS_KEY = 'cd'.repeat(32);
/** Turns of the event loop in which no start completes: it waits for a database first. */
const MID_START_TURNS = 10;

const describeWithPostgres = describeWith('postgres', 'natsServer');

describeWithPostgres('a process that receives a stop signal', () => {
  let database: TestDatabase;
  let nats: TestNats;
  let receiver: Receiver;
  const opened: (() => Promise<unknown>)[] = [];
  let shops = 0;

  beforeAll(async () => {
    database = await createPostgresDatabase();
    nats = provideNats();
  });
  afterAll(async () => {
    await database?.drop();
    await nats?.cleanUp();
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    opened.push(() => receiver.close());
    shops += 1;
  });
  afterEach(async () => {
    for (const close of opened.splice(0).toReversed()) await close();
  });

  async function open(env: Readonly<Record<string, string>> = {}): Promise<RunningService> {
    const service = await createTestService({
      env: {
        DATABASE_URL: database.url ?? '',
        NATS_URL: nats.url,
        NATS_PREFIX: nats.prefix,
        SECRETS_KEY,
        MONITOR_PORT: '0',
        PLANS: 'off',
        WEBHOOK_ALLOW_HTTP: 'true',
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
        ...env,
      },
      provisioning: {
        merchants: [
          {
            name: `Shop ${shops}`,
            email: `owner@shop${shops}.example`,
            webhooks: [{ url: receiver.url, events: EVENTS }],
          },
        ],
      },
    });
    opened.push(() => service.remove());
    return service;
  }

  test('is unready immediately, serves during the drain delay, closes connections, and cuts off no request', async () => {
    // Long enough for four requests on a busy machine.
    const service = await open({ DRAIN_DELAY_SECONDS: '6' });
    await service.start();
    const { url, monitorUrl } = service;
    const key = await testKeyOf(service);
    const account = () => fetch(`${url}/v1/transactions/list`, { headers: { authorization: `Bearer ${key}` } });
    expect((await account()).headers.get('connection')).toBe('keep-alive');
    expect(await statusOf(`${url}/ready`)).toBe(200);

    const stopped = service.stop();
    expect(await statusOf(`${monitorUrl}/ready`)).toBe(503);
    expect(await (await fetch(`${url}/ready`)).json()).toEqual({ status: 'not_ready', reason: 'draining' });
    const during = await account();
    expect([during.status, during.headers.get('connection')]).toEqual([200, 'close']);
    // A request that lasts until after the listener has closed.
    const holder = await connect({ url: database.url, dataDir: null, poolSize: 1 });
    opened.push(() => holder.close());
    let responded: ReturnType<typeof account> | undefined;
    await holder.db.transaction().execute(async (trx) => {
      await sql`lock table transaction in access exclusive mode`.execute(trx);
      responded = account();
      await waitFor(
        async () => ((await isListening(url)) ? null : true),
        () => 'the listener does not close',
      );
    });
    const last = await responded;
    expect([last?.status, last?.headers.get('connection')]).toEqual([200, 'close']);
    await stopped;
    expect(complaintsOf(service)).toEqual([]);
    expect(await statusOf(`${monitorUrl}/ready`)).toBe(null);
  });

  test('closes open pages, which reconnect automatically', async () => {
    const service = await open();
    await service.start();
    const { transaction_id: id } = await createShopClient(service.url, await testKeyOf(service)).create();
    expect(complaintsOf(service)).toEqual([]);
    const page = await fetch(`${service.url}/transaction/${id}/events`);
    expect(page.status).toBe(200);
    // A page that has shown something; a stop may come before the first event of one just opened.
    const reader = page.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('event: state')) {
      const chunk = await reader?.read();
      expect(chunk?.done).toBe(false);
      text += chunk?.value;
    }
    const stopped = service.stop();
    for (let isOver = false; !isOver; ) isOver = (await reader?.read())?.done ?? true;
    await stopped;
    expect(complaintsOf(service)).toEqual([]);
  });

  test('stops while NATS is down', async () => {
    const own = await createNatsServer();
    opened.push(() => own.remove());
    await own.start();
    const service = await open({ NATS_URL: own.url });
    await service.start();
    await own.kill();
    await createShopClient(service.url, await testKeyOf(service)).completeTestPayment();
    await service.stop();
    expect(complaintsOf(service).filter(({ msg }) => msg === GIVEN_UP)).toEqual([]);
  });

  // At the quick level test/cli/stopping.test.ts, test/platform/db/dead-connections.test.ts and
  // test/payments/watching/run-while-leader.test.ts cover this.
  if (level.isFull)
    test('stops although the database hangs: pending work is abandoned, the rest stops in order', async () => {
      const { line, url: databaseUrl } = await createDatabaseLine(database);
      const service = await open({ DATABASE_URL: databaseUrl });
      opened.push(() => line.close());
      await service.start();
      const { url } = service;
      line.freeze();
      const unverified = fetch(`${url}/v1/transactions/list`, {
        headers: { authorization: `Bearer ${await testKeyOf(service)}` },
      }).catch(() => null);
      await service.stop();
      await unverified;
      expect(await isListening(url)).toBe(false);
      expect(complaintsOf(service).map(({ msg }) => msg)).toContain(GIVEN_UP);
      expect(complaintsOf(service).filter((line) => line.level >= LEVEL.fatal)).toEqual([]);
    }, 90_000);

  test.each(level.pick({ quick: [10], full: [0, 3, 10, 30, 60, 120, 250, 500] }))(
    'during startup (after %i turns) stops what has started',
    async (turns) => {
      const service = await open();
      const started = service.start().then(
        () => 'started',
        (error: unknown) => error,
      );
      while (!isThere(service)) await nextTurn();
      for (let turn = 0; turn < turns; turn += 1) await nextTurn();
      await service.stop();
      const end = await started;
      if (turns > MID_START_TURNS && end === 'started') return expect(complaintsOf(service)).toEqual([]);
      expect(end).toMatchObject({ name: 'AbortError' });
      expect(complaintsOf(service)).toEqual([]);
    },
  );
});

// Helpers

/** Whether its start has begun: before that there is nothing to stop. */
function isThere(service: RunningService): boolean {
  try {
    return service.url !== '';
  } catch {
    return false;
  }
}

async function testKeyOf(service: RunningService): Promise<string> {
  const [secrets] = await service.secrets();
  return secrets?.keys?.sk_test ?? '';
}

/**
 * On a busy machine NATS may answer later than the service waits: it logs that, and tries again.
 */
function complaintsOf({ logLines }: RunningService) {
  return logLines.filter(
    ({ level, reason, msg }) => level >= LEVEL.warn && !(reason === 'timeout' && msg.startsWith('NATS is unavailable')),
  );
}

/** Whether the port accepts connections. */
async function isListening(url: string): Promise<boolean> {
  const socket = connectTcp(Number(new URL(url).port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
