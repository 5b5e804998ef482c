import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitFor } from '../../demo/wait.ts';
import { issueKeys, upsertMerchant } from '../../src/merchants/index.ts';
import { expectUsable } from '../support/browser/axe.ts';
import { describeBrowser, startBrowser, type TestBrowser } from '../support/browser/browser.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';
import { OK, type Receiver, startReceiver } from '../support/outside/receiver.ts';
import { createMerchantApi } from '../support/service/merchant-api.ts';
import { createTestService, type RunningService } from '../support/service/service.ts';
import { createShopClient } from './shop-process.ts';

const MARK = 'a-text-that-no-log-may-have';
const LOCAL_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];
const SHOP = { name: 'Corner shop', email: 'owner@shop.example' };

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly modes: readonly string[];
}

describe('the receiver of an open demo', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await createTestService();
    await service.start();
  }, 60_000);
  afterAll(() => service?.remove());

  const receiverPage = async () => (await fetch(`${service.url}/demo/receiver`)).text();

  test('shows the webhooks of a test payment as verified, and a forged one as not', async () => {
    expect(await (await fetch(service.url)).text()).toContain('href="demo/receiver"');
    const empty = await receiverPage();
    expect(empty).toContain('No webhooks yet.');
    expect(empty).toContain('verifyWebhook(rawBody');

    const id = await payOnce(service);
    const page = await waitFor(
      async () => {
        const text = await receiverPage();
        return text.includes('payment.completed') ? text : null;
      },
      () => 'no webhook arrived',
    );
    expect(page).toContain(id);
    expect(page).toContain('✓ Verified');
    expect(page).not.toContain('Not verified');

    const forged = JSON.stringify({ event: 'payment.completed', transaction_id: '<b>txn</b>', secret: MARK });
    for (const headers of [{}, { 'x-service-signature': `sha256=${'0'.repeat(64)}` }]) {
      const rejected = await send(service, forged, { 'content-type': 'application/json', ...headers });
      expect(rejected.status).toBe(400);
      const [, newest = ''] = (await receiverPage()).split('<li>');
      expect(newest).toContain('✗ Not verified');
      expect(newest).toContain('&lt;b&gt;txn&lt;/b&gt;');
    }
    expect((await send(service, `${MARK} not JSON`, {})).status).toBe(400);
    const before = await receiverPage();
    const nested = `${'['.repeat(4_000)}${'1,'.repeat(60_000)}1${']'.repeat(4_000)}`;
    expect((await send(service, nested, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(await receiverPage()).toBe(before);
    expect((await send(service, nested, {})).status).toBe(400);
    expect((await receiverPage()).length).toBeLessThan(before.length + 10_000);
    const full = await receiverPage();
    expect((await send(service, MARK.repeat(30_000), {})).status).toBe(400);
    expect(await receiverPage()).toBe(full);
    expect(JSON.stringify(service.logLines)).not.toContain(MARK);
    for (let sent = 0; sent < 25; sent += 1) await send(service, `forged ${sent}`, {});
    expect((await receiverPage()).match(/<li>/g)).toHaveLength(20);
  });

  test('has one endpoint in test mode, also after a start at another port', async () => {
    const owner = await ownerOf(service);
    const [endpoint, ...others] = await owner.endpoints();
    expect([endpoint?.url, endpoint?.modes, others]).toEqual([`${service.url}/demo/receiver`, ['test'], []]);

    await service.stop();
    await service.start();
    expect(await (await ownerOf(service)).endpoints()).toMatchObject([
      { id: endpoint?.id, url: `${service.url}/demo/receiver` },
    ]);
    await payOnce(service);
    await waitFor(
      async () => ((await receiverPage()).includes('✓ Verified') ? true : null),
      () => 'no webhook arrived after the start',
    );
  }, 60_000);

  test('lets the demo shop use any receiver on loopback, over http', async () => {
    const owner = await ownerOf(service);
    const receiver: Receiver = await startReceiver();
    receiver.usually(OK);
    try {
      for (const host of ['127.0.0.1', 'localhost']) {
        const { id } = await owner.add(`http://${host}:${receiver.port}/${host}`);
        await owner.test(id);
      }
      await waitFor(
        async () => (receiver.requests.length === 2 ? true : null),
        () => `${receiver.requests.length} of 2 test events arrived`,
      );
      await owner.add(`http://[::1]:${receiver.port}/`);
    } finally {
      await receiver.close();
    }
    for (const url of ['http://shop.example/', 'http://10.0.0.1/', 'https://10.0.0.1/', 'https://printer.local/']) {
      await expect(owner.add(url)).rejects.toThrow('INVALID_WEBHOOK_URL');
    }
  });
});

describeBrowser('an open demo in a browser', () => {
  let browser: TestBrowser;
  let service: RunningService;
  beforeAll(async () => {
    browser = await startBrowser();
    service = await createTestService();
    await service.start();
  }, 60_000);
  afterAll(async () => {
    await service?.remove();
    await browser?.close();
  });

  test('the receiver fits every screen and is accessible, and leads to a test payment', async () => {
    const watched = await browser.open();
    const { page } = watched;
    await page.goto(`${service.url}/demo/receiver`);
    await expectUsable(watched);
    await page.getByRole('link', { name: 'Make a test payment' }).click();
    expect(page.url()).toBe(`${service.url}/`);
    await send(service, JSON.stringify({ event: 'x'.repeat(90), transaction_id: `"><b>${'y'.repeat(90)}` }), {});
    await page.getByRole('link', { name: 'Received webhooks' }).click();
    await page.getByText('Body', { exact: true }).click();
    await expectUsable(watched);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('the sign-in page has the focus on the email, and a new merchant is said to end the demo', async () => {
    const { operator } = (await keysOf(service)).console;
    const { page, close } = await browser.open();
    await page.goto(`${service.url}/console/`);
    await page.getByLabel('Email').waitFor();
    await page.keyboard.type(operator.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(operator.password);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').first().waitFor();
    await page.goto(`${service.url}/console/merchants`);
    await page.getByRole('button', { name: 'New merchant' }).click();
    await page.getByText('Creating your own merchant ends the demo').waitFor();
    await close();
  });
});

describe('a service with a provisioning file', () => {
  test('refuses webhooks to loopback and has no receiver', async () => {
    const service = await createTestService({ provisioning: { merchants: [SHOP] } });
    try {
      await service.start();
      const [secrets] = await service.secrets();
      await expectRejected(service, secrets?.keys?.sk_live ?? '');
    } finally {
      await service.remove();
    }
  });
});

describePostgres('a service on Postgres', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresDatabase();
  });
  afterAll(() => database?.drop());

  async function start(env: Readonly<Record<string, string>> = {}): Promise<RunningService> {
    const service = await createTestService({ env: { DATABASE_URL: database.url ?? '', ...env } });
    await service.start();
    return service;
  }

  test('refuses webhooks to loopback unless its settings allow them, and has no receiver', async () => {
    const { sk_live: key } = await database.db.transaction().execute(async (trx) => {
      const { id } = await upsertMerchant(trx, { ...SHOP, plan: 'professional', settings: {} });
      return issueKeys(trx, id, Date.now());
    });
    const service = await start();
    try {
      await expectRejected(service, key);
    } finally {
      await service.remove();
    }
    const allowing = await start({ WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
    try {
      const api = createMerchantApi(() => allowing.url, key);
      await api.expect(201, 'POST', '/webhooks/endpoints', { url: 'http://127.0.0.1:9000/' });
    } finally {
      await allowing.remove();
    }
  });
});

// Helpers

async function expectRejected(service: RunningService, key: string): Promise<void> {
  const api = createMerchantApi(() => service.url, key);
  for (const scheme of ['http', 'https']) {
    for (const host of LOCAL_HOSTS) {
      const url = `${scheme}://${host}:9000/`;
      const { status, body } = await api.call<{ error: string }>('POST', '/webhooks/endpoints', { url });
      expect([url, status, body.error]).toEqual([url, 400, 'INVALID_WEBHOOK_URL']);
    }
  }
  const rejected = [await fetch(`${service.url}/demo/receiver`), await send(service, '{}', {})];
  expect(rejected.map(({ status }) => status)).toEqual([404, 404]);
  expect(await (await fetch(service.url)).text()).not.toContain('demo/receiver');
}

function send(service: RunningService, body: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(`${service.url}/demo/receiver`, { method: 'POST', body, headers });
}

/** A test payment, completed by simulation. Returns its id. */
async function payOnce(service: RunningService): Promise<string> {
  const { sk_test: key } = await keysOf(service);
  return (await createShopClient(service.url, key).completeTestPayment()).transaction_id;
}

interface DemoKeys {
  readonly sk_test: string;
  readonly console: Readonly<Record<'owner' | 'operator', { readonly email: string; readonly password: string }>>;
}

async function keysOf({ dataDir }: RunningService): Promise<DemoKeys> {
  return JSON.parse(await readFile(join(dataDir, 'demo-keys.json'), 'utf8')) as DemoKeys;
}

/** The owner of the demo shop, signed in to the console. */
async function ownerOf(service: RunningService) {
  const { owner } = (await keysOf(service)).console;
  let cookie = '';
  async function call(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(`${service.url}/console/api${path}`, {
      method,
      headers: {
        'x-quittance-console': '1',
        origin: service.url,
        cookie,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response;
  }
  const data = async <T>(response: Promise<Response>) => ((await (await response).json()) as { data: T }).data;
  const signedIn = await call('POST', '/sign-in', owner);
  cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return {
    endpoints: async () => (await data<{ endpoints: Endpoint[] }>(call('GET', '/merchant/webhooks'))).endpoints,
    add: (url: string) => data<{ id: string }>(call('POST', '/merchant/webhooks', { url, modes: ['test'] })),
    test: (id: string) => call('POST', `/merchant/webhooks/${id}/test`, { event: 'payment.completed' }),
    remove: (id: string) => call('DELETE', `/merchant/webhooks/${id}`),
  };
}
