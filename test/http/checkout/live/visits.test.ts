import { fastify } from 'fastify';
import { beforeEach, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../../machines/index.ts';
import { limitVisits } from '../../../../src/http/api/index.ts';
import { checkoutRoutes, imageRoutes, recurringRoutes } from '../../../../src/http/checkout/index.ts';
import { MAX_STREAMS_PER_CLIENT } from '../../../../src/http/checkout/live/update-streams.ts';
import { createRateLimiter, INTERFACE_TERMS } from '../../../../src/merchants/index.ts';
import { createTestClock, type TestClock } from '../../../support/clock.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { POLLING } from '../../../support/polling.ts';
import { silentLog } from '../../../support/silent-log.ts';
import { newToken } from '../recurring/recurring-app.ts';
import { NOW, sampleTransaction } from '../samples.ts';
import { type EventReader, readEvents } from './event-reader.ts';

const PAGES = INTERFACE_TERMS.professional.requests.perMinute;
const FORMS = INTERFACE_TERMS.starter.requests.perMinute;
const ONE = '198.51.100.1';
const OTHER = '198.51.100.2';
const payments = Array.from({ length: 8 }, (_, index) =>
  sampleTransaction({ id: `txn_${String(index).padStart(26, '0')}` }),
);
const [first] = payments;
const pageAddress = `/transaction/${first?.id}`;

describeDatabases('customer requests', (database) => {
  let clock: TestClock;
  let app: ReturnType<typeof fastify>;

  beforeEach(async () => {
    clock = createTestClock(NOW);
    app = fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: 500 } });
    const limiter = createRateLimiter({ db: database().db, clock });
    const find = (ids: readonly string[]) => payments.filter(({ id }) => ids.includes(id));
    const transactions = {
      get: async (id: string) => find([id])[0] ?? null,
      list: async (ids: readonly string[]) => find(ids),
      listVersions: async (ids: readonly string[]) => find(ids),
      simulate: async () => {},
      giveReceiptAddress: async () => {},
    };
    const requests = {
      find: async () => null,
      decide: async () => null,
      findPeriod: async () => null,
      openPeriod: async () => null,
    };
    const log = silentLog;
    await app.register(
      limitVisits(limiter, async (scope) => {
        await scope.register(checkoutRoutes, { transactions, clock, log });
        await scope.register(recurringRoutes, { requests });
        await scope.register(imageRoutes, { db: database().db });
      }),
    );
    return () => app.close();
  });

  const open = (url: string, remoteAddress = ONE) => app.inject({ method: 'GET', url, remoteAddress });
  const send = (url: string, remoteAddress = ONE) =>
    app.inject({
      method: 'POST',
      url,
      remoteAddress,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'action=confirm',
    });
  const statuses = async (count: number, ask: () => Promise<{ readonly statusCode: number }>) =>
    new Set((await Promise.all(Array.from({ length: count }, ask))).map(({ statusCode }) => statusCode));

  test('are counted per client, over all pages together; other clients and static files are not affected', async () => {
    expect(await statuses(PAGES - 1, () => open(pageAddress))).toEqual(new Set([200]));
    expect((await open(`/recurring/confirm/${newToken()}`)).statusCode).toBe(404);
    const rejected = await open(pageAddress);
    expect(rejected.statusCode).toBe(429);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
    expect(rejected.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect((await open(`/recurring/pay/${newToken()}`)).statusCode).toBe(429);
    const image = await open(`/images/${'0'.repeat(64)}`);
    expect([image.statusCode, image.headers['cache-control']]).toEqual([429, 'no-store']);
    expect((await open(pageAddress, OTHER)).statusCode).toBe(200);
    expect((await open('/checkout/assets/none.css')).statusCode).toBe(404);
    clock.advance(MINUTE_MS);
    expect((await open(pageAddress)).statusCode).toBe(200);
  });

  test('that submit forms have a lower limit, except for one-click unsubscribe by mail providers', async () => {
    expect(await statuses(FORMS, () => send(`/recurring/pay/${newToken()}`))).toEqual(new Set([400]));
    const rejected = await send(`${pageAddress}/simulate`);
    expect(rejected.statusCode).toBe(429);
    expect(rejected.headers['retry-after']).toBeDefined();
    expect((await send(`/recurring/stop/${newToken()}`)).statusCode).toBe(404);
    expect((await open(pageAddress)).statusCode).toBe(200);
    expect((await send(`/recurring/pay/${newToken()}`, OTHER)).statusCode).toBe(400);
  });

  test('that follow payments use a bounded number of streams; further pages poll their state instead', async () => {
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const follow = (index: number) => readEvents(`${url}/transaction/${payments[index % payments.length]?.id}/events`);
    const readers: EventReader[] = await Promise.all(
      Array.from({ length: MAX_STREAMS_PER_CLIENT }, (_, index) => follow(index)),
    );
    expect(new Set(readers.map(({ status }) => status))).toEqual(new Set([200]));
    const rejected = await follow(0);
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '30']);
    readers[0]?.close();
    await expect
      .poll(async () => {
        const again = await follow(0);
        readers.push(again);
        return again.status;
      }, POLLING)
      .toBe(200);
    for (const reader of readers) reader.close();
  });
});
