import { type FastifyPluginAsync, fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addSecurityHeaders } from '../../src/http/api/plugins/security-headers.ts';
import { checkoutRoutes, imageRoutes, recurringRoutes } from '../../src/http/checkout/index.ts';
import { listConsoleRoutes } from '../http/console/security/route-table.ts';
import { describeConsole } from '../http/console/support/describe-console.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';
import { createTestService, type RunningService } from '../support/service/service.ts';
import { readOpenApi } from './openapi-paths.ts';

interface Requested {
  readonly method: string;
  readonly path: string;
}

/** An id that exists nowhere and is no other valid value. */
const NOTHING = 'txn_00000000000000000000000000';
/** Public and the same for every client, so cacheable: path, and allowed value of Cache-Control. */
const MAY_BE_KEPT: readonly (readonly [RegExp, RegExp])[] = [
  [/^\/(docs|openapi\.json)/, /^(no-cache|no-store)/],
  [/^\/console\/(?!api\/)/, /^(no-cache|no-store|public, max-age=31536000, immutable)$/],
  [/^\/checkout\/assets\//, /^(no-store|public, max-age=31536000, immutable)$/],
];
/** Loaded by pages of other origins, such as client generators in a browser. */
const FOR_PAGES_OF_OTHERS: readonly string[] = ['/openapi.json'];

describeConsole('security headers of every route', {}, async (console) => {
  const pages = await routesOf([
    [checkoutRoutes, { transactions: anything(), clock: anything(), log: anything() }],
    [recurringRoutes, { requests: anything() }],
    [imageRoutes, { db: anything() }],
  ]);
  const api = await readOpenApi();
  const consoleRoutes = (await listConsoleRoutes()).map(({ method, path }) => ({
    method,
    path: `/console/api${path}`,
  }));
  const others: readonly Requested[] = [
    '/docs',
    '/docs/',
    '/openapi.json',
    '/v1/health',
    '/console',
    '/console/',
    '/console/payments',
    '/console/assets/none.js',
    '/nothing',
    '/v1/nothing',
    '/%zz',
  ].map((path) => ({ method: 'GET', path }));

  test('the tables list all existing routes', () => {
    expect(pages.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/transaction/:id', '/transaction/:id/events', '/recurring/pay/:token', '/images/:id']),
    );
    expect(api.length).toBeGreaterThan(20);
    expect(consoleRoutes.length).toBeGreaterThan(80);
  });

  test.each(
    unique([...api, ...pages, ...consoleRoutes, ...others]).map((requested) => [nameOf(requested), requested] as const),
  )('%s', async (_, { method, path }) => {
    const response = await fetch(console.url + filled(path), { method, redirect: 'manual' });
    await response.body?.cancel();
    expectStrict(path, response.headers);
  });

  test.each([
    ['owner', '/console/api/me'],
    ['owner', '/console/api/merchant/live'],
    ['operator', '/console/api/charts'],
    ['operator', '/console/api/live'],
    ['key', '/v1/account'],
    ['key', '/v1/stats'],
  ] as const)('a successful response to the %s: %s', async (who, path) => {
    const key = { authorization: `Bearer ${console.keys.sk_test}` };
    const response = await fetch(console.url + path, {
      headers: who === 'key' ? key : { cookie: await console.cookieOf(who) },
    });
    await response.body?.cancel();
    expect(response.status).toBe(200);
    expectStrict(path, response.headers);
  });

  test('and the pages among them', async () => {
    const made = await console.api({
      method: 'POST',
      path: '/transactions/create',
      body: { crypto: 'LTC', amount: 25 },
    });
    const id: string = made.data.transaction_id;
    const page = await fetch(`${console.url}/transaction/${id}`);
    const html = await page.text();
    expect(page.status).toBe(200);
    expectStrict('/transaction', page.headers);
    const assets = filesOf(html, `${console.url}/transaction/${id}`).filter((path) => path.includes('/assets/'));
    expect(assets.length).toBeGreaterThan(0);
    for (const path of [...assets, `/transaction/${id}/state`, `/transaction/${id}/events`]) {
      const response = await fetch(console.url + path);
      expect(response.status, path).toBe(200);
      await response.body?.cancel();
      expectStrict(path, response.headers);
    }
    const application = await fetch(`${console.url}/console/`);
    const files = filesOf(await application.text(), `${console.url}/console/`);
    expect(files.length).toBeGreaterThan(0);
    for (const path of files) expectStrict(path, (await fetch(console.url + path)).headers);
  });
});

describePostgres('the pages of the demo', () => {
  let database: TestDatabase;
  let service: RunningService;
  beforeAll(async () => {
    database = await createPostgresDatabase();
    service = await createTestService({ env: { DATABASE_URL: database.url ?? '' } });
    await service.start();
  }, 60_000);
  afterAll(async () => {
    await service?.remove();
    await database?.drop();
  });

  test.each(['/', '/demo/inbox', '/demo/inbox/eml_none', '/demo/receiver'])('%s', async (path) => {
    const response = await fetch(service.url + path);
    await response.body?.cancel();
    expectStrict(path, response.headers);
  });
});

describe('a service reached over https', () => {
  test.each([
    [true, 'max-age=31536000'],
    [false, undefined],
  ])('sends HSTS, and one over http does not: %s', async (isHttps, expected) => {
    const app = fastify();
    addSecurityHeaders(app, { isHttps });
    app.get('/', async () => 'here');
    expect((await app.inject('/')).headers['strict-transport-security']).toBe(expected);
    await app.close();
  });
});

// Helpers

function expectStrict(path: string, headers: Headers): void {
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('permissions-policy')).toContain('camera=()');
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  const isForOthers = FOR_PAGES_OF_OTHERS.includes(path);
  expect(headers.get('cross-origin-resource-policy')).toBe(isForOthers ? 'cross-origin' : 'same-origin');
  expect(headers.get('access-control-allow-origin')).toBe(isForOthers ? '*' : null);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? '';
  expect(scripts).not.toMatch(/unsafe-inline|https?:|\*/);
  const allowed = MAY_BE_KEPT.find(([paths]) => paths.test(path))?.[1] ?? /^no-store$/;
  expect(headers.get('cache-control')).toMatch(allowed);
}

/** Paths of the files a page loads from its own server. */
function filesOf(html: string, base: string): readonly string[] {
  return [...html.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]+)"/g)].flatMap(([, address = '']) => {
    const url = new URL(address, base);
    return url.origin === new URL(base).origin ? [url.pathname] : [];
  });
}

function anything(): never {
  const any: never = new Proxy(() => any, { get: () => any }) as never;
  return any;
}

/** The routes of plugins as the server registers them, so new routes are included automatically. */
async function routesOf(
  plugins: readonly (readonly [FastifyPluginAsync<any>, object])[], // oxlint-disable-line typescript/no-explicit-any
): Promise<readonly Requested[]> {
  const routes: Requested[] = [];
  const app = fastify();
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) if (one !== 'HEAD') routes.push({ method: one, path: url });
  });
  for (const [plugin, options] of plugins) await app.register(plugin, options);
  await app.ready();
  await app.close();
  return routes;
}

function filled(path: string): string {
  return path.replace(/:\w+|\{\w+\}|\*/g, NOTHING);
}

function nameOf({ method, path }: Requested): string {
  return `${method} ${path}`;
}

function unique(routes: readonly Requested[]): readonly Requested[] {
  return [...new Map(routes.map((route) => [nameOf(route), route])).values()];
}
