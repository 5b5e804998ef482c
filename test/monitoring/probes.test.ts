import { once } from 'node:events';
import { createServer } from 'node:net';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../demo/wait.ts';
import { createMonitor } from '../../src/monitoring/index.ts';
import { createDatabaseLine } from '../support/database/database-line.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';
import { deferred } from '../support/deferred.ts';
import type { TcpProxy } from '../support/outside/tcp-proxy.ts';
import { createTestService, type RunningService } from '../support/service/service.ts';
import { silentLog } from '../support/silent-log.ts';

const READY = '200 {"status":"ready"}';
const LIVE = '200 {"status":"live"}';
const isNot = (reason: string) => `503 {"status":"not_ready","reason":"${reason}"}`;

let service: RunningService | undefined;
let database: TestDatabase | undefined;
let line: TcpProxy | undefined;

afterEach(async () => {
  await service?.remove();
  await line?.close();
  await database?.drop();
  [service, line, database] = [undefined, undefined, undefined];
});

describePostgres('probes of a process', () => {
  test('it starts while the database is down, is ready with it, unready without it, and live throughout', async () => {
    const running = await createOverLine();
    await line?.cut();
    const started = running.start();
    await waitFor(
      async () => running.logLines.some(({ msg }) => msg.startsWith('the database is unreachable')) || null,
      () => 'the service never noticed that the database is away',
    );
    const { monitorUrl, url } = running;
    expect([await ask(monitorUrl, '/ready'), await ask(url, '/ready')]).toEqual([isNot('starting'), isNot('starting')]);
    expect([await ask(monitorUrl, '/live'), await ask(url, '/live')]).toEqual([LIVE, LIVE]);

    await line?.repair();
    await started;
    expect([await ask(monitorUrl, '/ready'), await ask(url, '/ready')]).toEqual([READY, READY]);
    await isNeverLimited(url);

    await line?.cut();
    await comesTo(monitorUrl, isNot('database'));
    await comesTo(url, isNot('database'));
    expect([await ask(monitorUrl, '/live'), await ask(url, '/live')]).toEqual([LIVE, LIVE]);

    await line?.repair();
    await comesTo(monitorUrl, READY);
    await comesTo(url, READY);
  });

  test('it reports draining until the very end, and then does not answer', async () => {
    const running = await createOverLine();
    await running.start();
    const { monitorUrl, url } = running;
    const health = await fetch(`${url}/v1/health`);
    expect(health.status).toBe(200);

    // Long-running work: a payment whose commit waits for another connection's lock.
    const { keys } = await demoKeys(running);
    const isLocked = deferred<void>();
    const mayGo = deferred<void>();
    const locking = database?.db.transaction().execute(async (trx) => {
      await sql`lock table transaction in access exclusive mode`.execute(trx);
      isLocked.resolve();
      await mayGo.promise;
    });
    await isLocked.promise;
    const creating = fetch(`${url}/v1/transactions/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.sk_test}`, 'content-type': 'application/json' },
      body: JSON.stringify({ crypto: 'LTC', amount: 25 }),
    });
    await waitFor(
      async () => ((await isWaitingForLock()) ? true : null),
      () => 'no payment waits for the lock',
    );

    const stopped = running.stop();
    await comesTo(monitorUrl, isNot('draining'));
    expect(await ask(monitorUrl, '/live')).toBe(LIVE);
    mayGo.resolve();
    await locking;
    expect((await creating).status).toBe(201);
    await stopped;
    await expect(fetch(`${monitorUrl}/ready`)).rejects.toThrow();
  });

  test('it answers on the API port only without MONITOR_PORT', async () => {
    database = await createPostgresDatabase();
    service = await createTestService({ env: { DATABASE_URL: database.url ?? '' } });
    await service.start();
    expect(() => service?.monitorUrl).toThrow('MONITOR_PORT');
    expect(await ask(service.url, '/ready')).toBe(READY);
    expect(await ask(service.url, '/live')).toBe(LIVE);
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
  });
});

describe('the monitoring port', () => {
  test('in use ends the start with the name of the setting', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    if (address === null || typeof address === 'string') throw new Error('The system gave no port');
    const monitor = createMonitor({ host: '127.0.0.1', port: address.port, routes: [], log: silentLog });
    await expect(monitor.listen()).rejects.toThrow(/is in use by another program. Set MONITOR_PORT/);
    await monitor.close();
    other.close();
    await once(other, 'close');
  });

  test('returns 404 for routes it does not have', async () => {
    const monitor = createMonitor({ host: '127.0.0.1', port: 0, routes: [], log: silentLog });
    await monitor.listen();
    expect(await ask(monitor.url() ?? '', '/v1/health')).toBe('404 {"status":"not_found"}');
    await monitor.close();
  });
});

// Helpers

/** A service whose connection to the database can be cut. */
async function createOverLine(): Promise<RunningService> {
  database = await createPostgresDatabase();
  const reached = await createDatabaseLine(database);
  line = reached.line;
  service = await createTestService({
    env: { DATABASE_URL: reached.url, MONITOR_PORT: '0' },
    provisioning: { merchants: [{ name: 'Probed Shop', email: 'shop@example.com' }] },
  });
  return service;
}

/** Needs no key, has no rate limit, and must not be cached. */
async function isNeverLimited(url: string): Promise<void> {
  const responses = await Promise.all(Array.from({ length: 100 }, () => fetch(`${url}/ready`)));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(responses[0]?.headers.get('x-ratelimit-limit')).toBeNull();
  expect(responses[0]?.headers.get('cache-control')).toBe('no-store');
}

async function demoKeys(running: RunningService) {
  const [shop] = await running.secrets();
  if (shop?.keys === undefined) throw new Error('provisioning made no keys');
  return { keys: shop.keys };
}

async function isWaitingForLock(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    database?.db as TestDatabase['db'],
  );
  return rows.length > 0;
}

async function ask(url: string, path: string): Promise<string> {
  const response = await fetch(url + path);
  return `${response.status} ${await response.text()}`;
}

async function comesTo(url: string, expected: string): Promise<void> {
  let last = '';
  await waitFor(
    async () => {
      last = await ask(url, '/ready');
      return last === expected || null;
    },
    () => `${url}/ready is ${last}, not ${expected}`,
  );
}
