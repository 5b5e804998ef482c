import { connect as connectSocket } from 'node:net';
import { expect, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../machines/index.ts';
import { changePlan } from '../../../src/billing/index.ts';
import { createPlanCache, INTERFACE_TERMS, type PlanCache } from '../../../src/merchants/index.ts';
import { connect } from '../../../src/platform/db/index.ts';
import { createTestClock } from '../../support/clock.ts';
import { createDatabaseLine } from '../../support/database/database-line.ts';
import { createPostgresDatabase, describeDatabases, describePostgres } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { level } from '../../support/run/level.ts';
import { type ApiResponse, startApp, type TestApp } from '../../support/service/app.ts';
import { OPERATIONS } from './document/openapi-document.ts';
import { expectProblem, useApp } from './support.ts';

const KEY_LIMIT = 4;
const ANONYMOUS_LIMIT = 3;
/** Small enough to use up, and different for keys and anonymous clients. */
const PLANS: PlanCache = {
  anonymous: { perMinute: ANONYMOUS_LIMIT, perHour: 1_000 },
  termsOf: async (plan) => ({
    requests: plan === 'starter' ? { perMinute: KEY_LIMIT, perHour: 1_000 } : { perMinute: 1_000, perHour: 1_000 },
    ipWhitelist: true,
  }),
};
const LIST = '/transactions/list';
/** More than two processes may take together. */
const ASKED = level.pick({ quick: 100, full: 200 });

describeDatabases('request limits of the API', (database) => {
  const { app } = useApp(database, { plans: PLANS, trustedProxies: ['10.0.0.0/8'] });
  let visitors = 0;
  /** An address not used elsewhere in this file. */
  const newVisitor = () => {
    visitors += 1;
    return `198.51.${Math.floor(visitors / 250)}.${1 + (visitors % 250)}`;
  };

  test('rule 72: every response carries the state of the minute window, whatever its status', async () => {
    const { keys } = await app().addMerchant();
    const remoteAddress = newVisitor();
    const created = await app().call({
      method: 'POST',
      path: '/transactions/create',
      key: keys.sk_test,
      body: { crypto: 'LTC', amount: 5 },
    });
    expect(created.status).toBe(201);
    expect(rateOf(created)).toEqual({ limit: KEY_LIMIT, remaining: 3, reset: endOfMinute(app()) });
    expect(await outcomes(app(), keys.sk_test, [LIST, '/transactions/create', '/nowhere', LIST])).toEqual([
      [200, KEY_LIMIT, 2],
      [404, KEY_LIMIT, 1],
      [404, KEY_LIMIT, 0],
      [429, KEY_LIMIT, 0],
    ]);
    expect(await outcomes(app(), null, ['/health', LIST, '/nowhere', '/health'], remoteAddress)).toEqual([
      [200, ANONYMOUS_LIMIT, 2],
      [401, ANONYMOUS_LIMIT, 1],
      [404, ANONYMOUS_LIMIT, 0],
      [429, ANONYMOUS_LIMIT, 0],
    ]);
  });

  test('a request above the limit returns when to retry, and changes nothing', async () => {
    const { keys } = await app().addMerchant();
    const create = { method: 'POST', path: '/transactions/create', key: keys.sk_live, body: '{' } as const;
    for (let sent = 0; sent < KEY_LIMIT; sent += 1) expectProblem(await app().call(create), 400, 'INVALID_REQUEST');
    const rejected = await app().call(create);
    const { message } = expectProblem(rejected, 429, 'RATE_LIMIT_EXCEEDED');
    const seconds = Number(rejected.headers['retry-after']);
    expect(seconds).toBe(endOfMinute(app()) - Math.floor(app().clock.now() / SECOND_MS));
    expect(message).toContain(`${seconds} seconds`);
    app().clock.advance(seconds * SECOND_MS);
    expect((await app().call({ path: LIST, key: keys.sk_live })).status).toBe(200);
  });

  test('each key has its own limits, independent of the client address', async () => {
    const { keys } = await app().addMerchant();
    const remoteAddress = newVisitor();
    const four = Array<string>(KEY_LIMIT).fill(LIST);
    await outcomes(app(), null, ['/health', '/health', '/health'], remoteAddress);
    for (const key of [keys.sk_test, keys.sk_live]) {
      expect((await outcomes(app(), key, four, remoteAddress)).map(([status]) => status)).toEqual([200, 200, 200, 200]);
      expect(await outcomes(app(), key, ['/health'], newVisitor())).toEqual([[429, KEY_LIMIT, 0]]);
    }
    expect(await outcomes(app(), null, ['/health'], remoteAddress)).toEqual([[429, ANONYMOUS_LIMIT, 0]]);
  });

  test('rule 72: publishable and unknown keys are counted with the client address', async () => {
    const { keys } = await app().addMerchant();
    const remoteAddress = newVisitor();
    const seen = [
      await outcomes(app(), keys.pk_live, [LIST], remoteAddress),
      await outcomes(app(), 'sk_live_unknown', [LIST], remoteAddress),
      await outcomes(app(), keys.pk_test, ['/health'], remoteAddress),
      await outcomes(app(), keys.pk_test, [LIST], remoteAddress),
    ].flat();
    expect(seen.map(([status, , remaining]) => [status, remaining])).toEqual([
      [403, 2],
      [401, 1],
      [200, 0],
      [429, 0],
    ]);
  });

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::ffff:203.0.113.9', '203.0.113.9', true],
    ['203.0.113.10', '203.0.113.11', false],
  ])('requests from %s and %s without a key share a limit: %s', async (one, other, isShared) => {
    await outcomes(app(), null, ['/health', '/health', '/health'], one);
    const [response] = await outcomes(app(), null, ['/health'], other);
    expect(response?.[0]).toBe(isShared ? 429 : 200);
    app().clock.advance(MINUTE_MS);
  });

  test('rule 40: behind a trusted proxy the forwarded address counts, and only then', async () => {
    const ask = (remoteAddress: string, forwarded: string) =>
      app().call({ path: '/health', key: null, remoteAddress, headers: { 'x-forwarded-for': forwarded } });
    for (let visitor = 1; visitor <= 5; visitor += 1) {
      expect((await ask('10.1.1.1', `192.0.2.${visitor}`)).status).toBe(200);
    }
    const otherVisitor = newVisitor();
    const answers: number[] = [];
    for (let visitor = 1; visitor <= 4; visitor += 1) {
      answers.push((await ask(otherVisitor, `192.0.2.${100 + visitor}`)).status);
    }
    expect(answers).toEqual([200, 200, 200, 429]);
    for (const nonsense of ['unknown', 'x'.repeat(5_000), '1.2.3.4:99999', '%']) {
      expect([200, 429]).toContain((await ask('10.1.1.1', nonsense)).status);
    }
  });

  test('an unparsable request gets the headers too, and is not counted', async () => {
    const { hostname, port } = new URL(await app().listen());
    const head = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connectSocket(Number(port), hostname, () => socket.write('hello\r\n\r\n'));
      socket.setEncoding('utf8');
      socket.on('data', (chunk: string) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });
    expect(head).toMatch(new RegExp(`^X-RateLimit-Limit: ${ANONYMOUS_LIMIT}\r$`, 'm'));
    expect(head).toMatch(new RegExp(`^X-RateLimit-Reset: ${endOfMinute(app())}\r$`, 'm'));
    const unreadable = await app().call({ path: '/transactions/%zz', key: null });
    expectProblem(unreadable, 400, 'INVALID_REQUEST');
    expect(rateOf(unreadable)).toMatchObject({ limit: ANONYMOUS_LIMIT, remaining: ANONYMOUS_LIMIT });
  });
});

describeDatabases('request limits of a service with the documented plans', (database) => {
  const { app, merchant } = useApp(database, {
    plans: { anonymous: INTERFACE_TERMS.starter.requests, termsOf: async () => INTERFACE_TERMS.starter },
  });

  test('allow a starter 30 requests a minute and 500 an hour', async () => {
    const { sk_test: key } = merchant().keys;
    let taken = 0;
    for (let minute = 0; minute < 17; minute += 1) {
      const answers = await Promise.all(Array.from({ length: 31 }, () => app().call({ path: LIST, key })));
      taken += answers.filter(({ status }) => status === 200).length;
      expect(taken).toBe(Math.min(30 * (minute + 1), 500));
      app().clock.advance(MINUTE_MS);
    }
    const rejected = await app().call({ path: LIST, key });
    expect(expectProblem(rejected, 429, 'RATE_LIMIT_EXCEEDED').message).toMatch(/500 requests in this hour/);
    expect(rateOf(rejected)).toMatchObject({ limit: 30, remaining: 30 });
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(60);
  });
});

describePostgres('request limits of a service without plans', () => {
  test('apply to addresses only; responses to keys show the enterprise numbers, which never decrease', async () => {
    const database = await createPostgresDatabase();
    const clock = createTestClock();
    const plans = createPlanCache({ db: database.db, clock, plansEnabled: false });
    const app = await startApp({ connection: database, clock, plans, plansEnabled: false });
    try {
      await database.db
        .transaction()
        .execute((trx) => changePlan(trx, 'enterprise', { apiRateLimitPerMinute: 3, apiRateLimitPerHour: 3 }));
      const { keys } = await app.addMerchant();
      const requested = Array<string>(20).fill(LIST);
      expect(await outcomes(app, keys.sk_live, requested)).toEqual(Array(20).fill([200, 3, 3]));
      const { perMinute } = INTERFACE_TERMS.starter.requests;
      const anonymous = await outcomes(app, null, Array<string>(perMinute + 1).fill('/health'));
      expect(anonymous.at(-2)).toEqual([200, perMinute, 0]);
      expect(anonymous.at(-1)).toEqual([429, perMinute, 0]);
    } finally {
      await app.stop();
      await database.drop();
    }
  });
});

describePostgres('request limits of two processes on one database', () => {
  test('allow exactly as many requests of a key as its plan', async () => {
    const database = await createPostgresDatabase();
    const other = await connect({ url: database.url, dataDir: null, poolSize: 4 });
    const plans: PlanCache = {
      ...PLANS,
      termsOf: async () => ({ requests: { perMinute: 60, perHour: 1_000 }, ipWhitelist: false }),
    };
    const here = await startApp({ connection: database, plans });
    const there = await startApp({ connection: other, plans });
    try {
      const { keys } = await here.addMerchant();
      const answers = await Promise.all(
        Array.from({ length: ASKED }, (_, index) =>
          (index % 2 === 0 ? here : there).call({ path: LIST, key: keys.sk_test }),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(60);
      expect(statuses.filter((status) => status === 429)).toHaveLength(ASKED - 60);
    } finally {
      await there.stop();
      await here.stop();
      await other.close();
      await database.drop();
    }
  });
});

describePostgres('request limits while the database is down', () => {
  test('let every request pass to its normal response', async () => {
    const database = await createPostgresDatabase();
    const { line: proxy, url } = await createDatabaseLine(database);
    const connection = await connect({ url, dataDir: null, poolSize: 2 });
    const app = await startApp({ connection, plans: PLANS });
    try {
      const { keys } = await app.addMerchant();
      await proxy.cut();
      const requested = Array<string>(6).fill(LIST);
      for (const [status, , remaining] of await outcomes(app, keys.sk_test, requested)) {
        expect([status, remaining]).toEqual([500, ANONYMOUS_LIMIT]);
      }
      for (const [status] of await outcomes(app, null, ['/health', '/health', '/health', '/health'])) {
        expect(status).toBe(503);
      }
      await proxy.repair();
      await expect.poll(async () => (await outcomes(app, keys.sk_test, [LIST]))[0]?.[0], POLLING).toBe(429);
    } finally {
      await app.stop();
      await connection.close();
      await proxy.close();
      await database.drop();
    }
  });
});

test.each(OPERATIONS)('the document of $name lists the headers of every response', ({ operation }) => {
  expect(Object.keys(operation.responses)).toContain('429');
  for (const [status, { headers = {} }] of Object.entries(operation.responses)) {
    const names = Object.keys(headers);
    expect(names).toEqual(expect.arrayContaining(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']));
    if (status === '429') expect(names).toContain('Retry-After');
  }
});

// Helpers

function rateOf({ headers }: ApiResponse<unknown>) {
  return {
    limit: Number(headers['x-ratelimit-limit']),
    remaining: Number(headers['x-ratelimit-remaining']),
    reset: Number(headers['x-ratelimit-reset']),
  };
}

/** In Unix seconds. */
function endOfMinute({ clock }: TestApp): number {
  return (Math.floor(clock.now() / MINUTE_MS) + 1) * 60;
}

/** Status, limit and remaining requests of consecutive requests. */
async function outcomes(
  app: TestApp,
  key: string | null,
  paths: readonly string[],
  remoteAddress = '127.0.0.1',
): Promise<[status: number, limit: number, remaining: number][]> {
  const all: [number, number, number][] = [];
  for (const path of paths) {
    const response = await app.call({ path, key, remoteAddress });
    const { limit, remaining, reset } = rateOf(response);
    expect(reset).toBe(endOfMinute(app));
    if (response.status === 429) expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    all.push([response.status, limit, remaining]);
  }
  return all;
}
