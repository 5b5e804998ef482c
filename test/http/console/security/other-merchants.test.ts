import { beforeAll, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../../../machines/index.ts';
import { POLLING } from '../../../support/polling.ts';
import type { ConsoleRequest, Who } from '../support/console.ts';
import { describeConsole } from '../support/describe-console.ts';
import { EVERYBODY, opennessOf, rejectionOf } from './policy.ts';
import { CHANGES, REQUESTS } from './requests.ts';
import { addSeller, COMPLETE_SERVICE, createResources, MARK, type MerchantResources } from './resources.ts';
import { type ConsoleRoute, listConsoleRoutes, nameOf } from './route-table.ts';

const IN_TEST = '?mode=test';
/** Required query parameters of lists. */
const QUERIES: Readonly<Record<string, string>> = {
  '/merchant/payments': IN_TEST,
  '/merchant/payments.csv': IN_TEST,
  '/merchant/attention': IN_TEST,
  '/merchant/attention/count': IN_TEST,
  '/merchant/overview': IN_TEST,
  '/merchant/links': IN_TEST,
  '/merchant/recurring': IN_TEST,
  '/merchant/plan': IN_TEST,
  '/merchant/plan/invoices': IN_TEST,
  '/merchant/statistics': `${IN_TEST}&interval=day&from=${Date.now() - DAY_MS}&to=${Date.now()}`,
};

describeConsole('the owner of one merchant, requesting data of another', COMPLETE_SERVICE, async (console) => {
  const routes = (await listConsoleRoutes()).filter(({ path }) => /^\/(merchant\/|users|sessions)/.test(path));
  const naming = routes.filter(({ path }) => path.includes(':')).map(nameOf);
  const lists = routes.filter(isList).map(({ path }) => path);
  let resources: MerchantResources;
  let before: ReadonlyMap<string, string>;
  beforeAll(async () => {
    // A sign-in is an entry of the audit log that is compared at the end.
    for (const who of EVERYBODY) if (who !== null) await console.cookieOf(who);
    await addSeller(console);
    resources = await createResources(console);
    await endRetries(resources.delivery);
    // A plan below the one in the request for a checkout.
    await console.db.updateTable('merchant').set({ plan: 'business' }).where('id', '=', console.merchantId).execute();
    before = await readAll('owner');
  }, 60_000);

  /**
   * The endpoint does not exist: after the first failed attempt, no retry may change the health
   * that is compared at the end.
   */
  async function endRetries(delivery: string): Promise<void> {
    const path = `/merchant/webhooks/deliveries/${delivery}`;
    await vi.waitFor(async () => expect((await console.call('owner', { path })).data.state).toBe('waiting'), POLLING);
    await console.db.deleteFrom('timer').where('actor_id', '=', delivery).execute();
  }

  /** A request that the owner is granted. */
  function requestFor(name: string): ConsoleRequest {
    const path = lists.find((one) => name === `GET ${one}`);
    if (path !== undefined) return { path: `${path}${QUERIES[path] ?? ''}` };
    const request = REQUESTS[name]?.(resources) ?? CHANGES[name];
    if (request === undefined) throw new Error(`say in requests.ts how to ask for ${name}`);
    return request;
  }

  async function readAll(who: Who): Promise<ReadonlyMap<string, string>> {
    const responses = await Promise.all(
      lists.map(async (path) => {
        const { status, text } = await console.call(who, requestFor(`GET ${path}`));
        expect(status, `${path}: ${text}`).toBe(200);
        return [path, text] as const;
      }),
    );
    return new Map(responses);
  }

  test('the owner sees the markers that others must not see', () => {
    const marked = [...before].filter(([, text]) => text.includes(MARK)).map(([path]) => path);
    expect(marked).toEqual(expect.arrayContaining(MARKED));
  });

  test.each(naming)('%s returns not found', async (name) => {
    const { status, error, text } = await console.call('neighbour', requestFor(name));
    expect(status, text).toBe(404);
    expect(error).toBe(Object.entries(NOT_FOUND).find(([path]) => name.includes(path))?.[1]);
    expect(text).not.toContain(MARK);
  });

  // roles.test.ts requests the same routes with ids that do not exist.
  test.each(routes.filter(({ path }) => path !== '/merchant/live').map((route) => [nameOf(route), route] as const))(
    '%s, with ids that exist and a valid body, is for the roles of the policy only',
    async (name, route) => {
      const accepts = (who: Who | null) => who !== null && opennessOf(route).includes(who);
      for (const who of EVERYBODY.filter((one) => !accepts(one))) {
        expect(await console.call(who, requestFor(name)), `${who}`).toMatchObject(rejectionOf(who));
      }
      if (route.method !== 'GET') return;
      for (const who of (['owner', 'staff'] as const).filter(accepts)) {
        expect((await console.call(who, requestFor(name))).status, who).toBe(200);
      }
    },
  );

  test('no list shows any of it', async () => {
    for (const [path, text] of await readAll('neighbour')) {
      expect(text, path).not.toContain(MARK);
      for (const [kind, id] of Object.entries(resources)) expect(text.includes(id), `${path}: ${kind}`).toBe(false);
    }
  });

  test('nothing has changed in the end', async () => {
    const after = await readAll('owner');
    for (const path of [...MARKED, ...UNMARKED]) expect(after.get(path), path).toBe(before.get(path));
  });
});

// Helpers

/** Lists that contain the merchant's texts. */
const MARKED = [
  '/merchant/payments',
  '/merchant/attention',
  '/merchant/keys',
  '/merchant/webhooks',
  '/merchant/links',
  '/merchant/recurring',
];

/** Further lists that only a change of the merchant's own would alter. */
const UNMARKED = ['/merchant/wallets', '/merchant/settings', '/merchant/plan/invoices', '/merchant/audit'];

/** The error for an object of another merchant, by part of the route. */
const NOT_FOUND = {
  '/sessions/': 'SESSION_NOT_FOUND',
  '/users/': 'USER_NOT_FOUND',
  '/merchant/payments/': 'TRANSACTION_NOT_FOUND',
  '/merchant/attention/': 'ATTENTION_NOT_FOUND',
  '/merchant/wallets/': 'WALLET_NOT_FOUND',
  '/merchant/keys/': 'KEY_NOT_FOUND',
  '/merchant/webhooks/deliveries/': 'WEBHOOK_DELIVERY_NOT_FOUND',
  '/merchant/webhooks/replays/': 'WEBHOOK_REPLAY_NOT_FOUND',
  '/merchant/webhooks/': 'WEBHOOK_ENDPOINT_NOT_FOUND',
  '/merchant/links/': 'LINK_NOT_FOUND',
  '/merchant/recurring/': 'SCHEDULE_NOT_FOUND',
};

function isList({ method, path }: ConsoleRoute): boolean {
  return method === 'GET' && !path.includes(':') && path !== '/merchant/live';
}
