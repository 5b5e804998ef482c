import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../demo/wait.ts';
import { level } from '../support/run/level.ts';
import { describeFull } from '../support/run/skip.ts';
import { createMerchantApi } from '../support/service/merchant-api.ts';
import { createTestService, type RunningService } from '../support/service/service.ts';
import { runToEnd } from './run-to-end.ts';

const INVITATION = 'to make a test payment';
const OFFER = 'Make a test payment';
const CUSTOMER = 'guest@customer.example';
const MONTHLY = { amount: 25, currency_fiat: 'EUR', interval: 'monthly', description: 'Coffee every month' } as const;

interface DemoKeys {
  readonly sk_test: string;
  readonly console: Readonly<Record<'owner' | 'operator', { readonly email: string; readonly password: string }>>;
}

interface KeptMail {
  readonly id: string;
  readonly recipient: string;
}

let folder: string;
let service: RunningService;

async function open(env: Readonly<Record<string, string>>): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'quittance-demo-'));
  service = await createTestService({ env });
}

async function remove(): Promise<void> {
  await service?.remove();
  await rm(folder, { recursive: true, force: true });
}

describe('the demo, until a merchant signs up', () => {
  beforeAll(async () => {
    await open({ SIGN_UP: 'on' });
    await service.start();
  });
  afterAll(remove);

  test('shows emails to customers, and none that gives access to an account', async () => {
    const { owner } = (await keys()).console;
    const mailId = await mailACustomer();
    const requested = await ask('/console/api/password-reset/request', { body: { email: owner.email } });
    expect(requested.status).toBe(202);
    const reset = await keptMailTo(owner.email);

    const list = await (await ask('/demo/inbox')).text();
    expect(list).toContain(`inbox/${mailId}"`);
    expect(list).toContain(CUSTOMER);
    expect(list).not.toContain(reset.id);
    expect(list).not.toContain(owner.email);
    expect((await ask(`/demo/inbox/${mailId}`)).status).toBe(200);
    const rejected = await ask(`/demo/inbox/${reset.id}`);
    expect(rejected.status).toBe(404);
    expect(await rejected.text()).not.toContain('password-reset');
  });

  // At the quick level test/cli/demo.test.ts covers this.
  if (level.isFull) {
    test('is closed by the first merchant who signs up, immediately and permanently', async () => {
      expect(service.printed.join()).toContain(INVITATION);
      const mailId = await mailACustomer();
      // Where anyone may sign up there are no webhooks to loopback addresses, so no receiver.
      await expectOpen({ mailId, hasReceiver: false });
      await expectOpen({ mailId, hasReceiver: false });
      const paid = await countPayments();
      expect(paid).toBe(2);

      await signUp('Corner shop');
      await expectClosed({ mailId });
      expect(await countPayments()).toBe(paid);
      const announced = countInvitations();

      await service.stop();
      await service.start();
      await expectClosed({ mailId });
      expect(await countPayments()).toBe(paid);
      expect(countInvitations()).toBe(announced);
    });
  }
});

// At the quick level test/cli/demo.test.ts covers this.
describeFull('the demo, on the data of a real merchant', () => {
  beforeEach(() => open({}));
  afterEach(remove);

  test('is closed when merchants were provisioned since the last start', async () => {
    await service.start();
    const mailId = await mailACustomer();
    await expectOpen({ mailId, hasReceiver: true });
    await service.stop();
    await provision({ name: 'Corner shop', email: 'owner@shop.example' });
    await service.start();
    await expectClosed({ mailId });
    expect(await countPayments()).toBe(1);
    expect(service.printed.filter((text) => text.includes(INVITATION))).toHaveLength(1);
  });
});

// Helpers

async function expectOpen({ mailId, hasReceiver }: { readonly mailId: string; readonly hasReceiver: boolean }) {
  expect(await (await ask('/')).text()).toContain(OFFER);
  expect(await (await ask('/demo/inbox')).text()).toContain(CUSTOMER);
  expect((await ask(`/demo/inbox/${mailId}`)).status).toBe(200);
  expect((await ask('/demo/receiver')).status).toBe(hasReceiver ? 200 : 404);
  const payment = await ask('/demo/payment', { method: 'POST' });
  expect([payment.status, payment.headers.get('location')]).toEqual([
    303,
    expect.stringContaining('/transaction/txn_'),
  ]);
}

async function expectClosed({ mailId }: { readonly mailId: string }): Promise<void> {
  const page = await ask('/');
  expect(page.status).toBe(200);
  expect(await page.text()).not.toMatch(/demo/i);
  for (const path of ['/demo/inbox', `/demo/inbox/${mailId}`, '/demo/receiver']) {
    const rejected = await ask(path);
    expect([path, rejected.status]).toEqual([path, 404]);
    expect(await rejected.text()).not.toContain(CUSTOMER);
  }
  const payment = await ask('/demo/payment', { method: 'POST' });
  expect([payment.status, payment.headers.get('location')]).toEqual([303, '/']);
}

/** Sends a request as a browser does; with a `body`, to the console's API. */
function ask(
  path: string,
  { method = 'GET', body, cookie }: { method?: 'GET' | 'POST'; body?: unknown; cookie?: string } = {},
): Promise<Response> {
  return fetch(`${service.url}${path}`, {
    method: body === undefined ? method : 'POST',
    redirect: 'manual',
    headers: {
      'x-quittance-console': '1',
      origin: service.url,
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function keys(): Promise<DemoKeys> {
  return JSON.parse(await readFile(join(service.dataDir, 'demo-keys.json'), 'utf8')) as DemoKeys;
}

async function shop() {
  const { sk_test: key } = await keys();
  return createMerchantApi(() => service.url, key);
}

function countInvitations(): number {
  return service.printed.filter((text) => text.includes(INVITATION)).length;
}

async function countPayments(): Promise<number> {
  const api = await shop();
  const { transactions } = await api.expect<{ transactions: unknown[] }>(200, 'GET', '/transactions/list');
  return transactions.length;
}

/** Triggers an email to a customer of the demo shop, and returns its id. */
async function mailACustomer(): Promise<string> {
  await (await shop()).expect(201, 'POST', '/recurring/create', { ...MONTHLY, customer_email: CUSTOMER });
  return (await keptMailTo(CUSTOMER)).id;
}

/** Creates a merchant by signing up; without mail, a command on the server prints the link. */
async function signUp(merchantName: string): Promise<void> {
  const email = 'owner@shop.example';
  const body = { email, merchantName };
  expect((await ask('/console/api/sign-up', { body: body })).status).toBe(202);
  const { id } = await keptMailTo(email);
  await service.stop();
  const shown = await runToEnd(['mail', 'show', id], { cwd: folder, env: { DATA_DIR: service.dataDir } });
  await service.start();
  const token = /\/sign-up\/confirm#([\w-]+)/.exec(shown.stdout)?.[1];
  expect(
    (await ask('/console/api/sign-up/confirm', { body: { token, password: 'quiet harbour 7 lanterns' } })).status,
  ).toBe(200);
}

/** The newest stored mail to an address; waits for it. */
function keptMailTo(address: string): Promise<KeptMail> {
  return waitFor(
    async () => {
      const { mails } = await readAsOperator<{ mails: KeptMail[] }>('/mails');
      return mails.find(({ recipient }) => recipient === address) ?? null;
    },
    () => `no mail to ${address} was kept`,
  );
}

let session: { readonly of: RunningService; readonly cookie: string } | undefined;

async function readAsOperator<T>(path: string): Promise<T> {
  if (session?.of !== service) session = { of: service, cookie: await signIn() };
  const response = await ask(`/console/api${path}`, { cookie: session.cookie });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: T }).data;
}

async function signIn(): Promise<string> {
  const response = await ask('/console/api/sign-in', { body: (await keys()).console.operator });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`the operator cannot sign in: ${await response.text()}`);
  return cookie;
}

/** Runs `quittance provision` on the service's data while the service is stopped. */
async function provision(merchant: { readonly name: string; readonly email: string }): Promise<void> {
  const file = join(folder, 'merchants.json');
  await writeFile(file, JSON.stringify({ merchants: [merchant] }));
  const args = ['provision', file, '--out', join(folder, 'secrets.json')];
  const provisioned = await runToEnd(args, { cwd: folder, env: { DATA_DIR: service.dataDir } });
  expect(provisioned).toMatchObject({ code: 0, stderr: '' });
}
