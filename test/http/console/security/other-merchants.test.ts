import { beforeAll, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../../../machines/index.ts';
import { POLLING } from '../../../support/polling.ts';
import type { Who } from '../support/console.ts';
import { describeConsole } from '../support/describe-console.ts';
import { REQUESTS } from './requests.ts';
import { createResources, MARK, type MerchantResources, WALLETS } from './resources.ts';
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

describeConsole('the owner of one merchant, requesting data of another', { wallets: WALLETS }, async (console) => {
  const routes = (await listConsoleRoutes()).filter(({ path }) => /^\/(merchant\/|users|sessions)/.test(path));
  const naming = routes.filter(({ path }) => path.includes(':')).map(nameOf);
  const lists = routes.filter(isList).map(({ path }) => path);
  let resources: MerchantResources;
  let before: ReadonlyMap<string, string>;
  beforeAll(async () => {
    resources = await createResources(console);
    await endRetries(resources.delivery);
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

  async function readAll(who: Who): Promise<ReadonlyMap<string, string>> {
    const responses = await Promise.all(
      lists.map(async (path) => {
        const { status, text } = await console.call(who, { path: `${path}${QUERIES[path] ?? ''}` });
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
    const request = REQUESTS[name];
    if (request === undefined) throw new Error(`say in requests.ts how to ask for ${name}`);
    const { status, text } = await console.call('neighbour', request(resources));
    expect(status, text).toBe(404);
    expect(text).not.toContain(MARK);
  });

  test('no list shows any of it', async () => {
    for (const [path, text] of await readAll('neighbour')) {
      expect(text, path).not.toContain(MARK);
      for (const [kind, id] of Object.entries(resources)) expect(text.includes(id), `${path}: ${kind}`).toBe(false);
    }
  });

  test('nothing has changed in the end', async () => {
    const after = await readAll('owner');
    for (const path of MARKED) expect(after.get(path), path).toBe(before.get(path));
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

function isList({ method, path }: ConsoleRoute): boolean {
  return method === 'GET' && !path.includes(':') && path !== '/merchant/live';
}
