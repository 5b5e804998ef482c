import { beforeAll, expect, test } from 'vitest';
import { addMonths, DAY_MS } from '../../../machines/index.ts';
import { MAX_OPEN_PURCHASES } from '../../../src/billing/checkout.ts';
import { attachWallet, issueKeys, upsertMerchant } from '../../../src/merchants/index.ts';
import type { TransactionView } from '../../../src/payments/index.ts';
import { chainEventCommand } from '../../../src/payments/watching/chain-events.ts';
import { createBillingEngine, report } from '../../billing/harness.ts';
import { transactionViolations } from '../../contract/transaction-violations.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { createTestAccountKey } from '../../support/nodes/wallet.ts';
import type { ApiResponse, TestMerchant } from '../../support/service/app.ts';
import { expectDocumented, expectProblem, useApp } from './support.ts';

interface Envelope {
  readonly success: true;
  readonly data: TransactionView;
}
interface Invoices {
  readonly data: {
    readonly invoices: readonly Readonly<Record<string, unknown>>[];
    readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number };
  };
}

const OPERATOR = 'The service';
const COINS = 10n ** 8n;

describeDatabases('plan purchases', (database) => {
  const { app } = useApp(database, { liveRates: { LTC: '100' }, operatorMerchant: OPERATOR });
  let operator: TestMerchant;

  beforeAll(async () => {
    operator = await database()
      .db.transaction()
      .execute(async (trx) => {
        const merchant = { name: OPERATOR, email: 'money@service.example', plan: 'enterprise', settings: {} };
        const { id } = await upsertMerchant(trx, merchant);
        return { id, keys: await issueKeys(trx, id, 0) };
      });
    await app().addLiveWallet(operator);
    // First in the order of coins, on a network that is not connected.
    const spec = { crypto: 'BTC', extendedPublicKey: createTestAccountKey('service'), addressType: 'p2wpkh' } as const;
    await attachWallet(database().db, { merchantId: operator.id, mode: 'live', spec, networkKind: 'testnet' });
  });

  const checkout = (key: string, body: object) =>
    app().call<Envelope>({ method: 'POST', path: '/billing/checkout', key, body });
  const invoices = async (key: string, query = '') =>
    (await app().call<Invoices>({ path: `/invoices${query}`, key })).body.data;
  const planOf = async ({ keys }: TestMerchant) =>
    (await app().call<{ data: { plan: unknown } }>({ path: '/account', key: keys.sk_test })).body.data.plan;

  async function pay(id: string, usd: bigint): Promise<void> {
    const engine = createBillingEngine(database().db, app().clock);
    const confirmed = { kind: 'confirmed', height: 100, blockHash: 'a' } as const;
    const coins = report(id, 1, confirmed, app().clock.now(), (usd * COINS) / 100n);
    expect(await engine.deliver(chainEventCommand(id, coins))).toMatchObject({ outcome: 'applied' });
  }

  test('are refused while ten of the buyer are open and unpaid, so that none hides in the operator’s wallet', async () => {
    const [shop, other] = [await app().addMerchant(), await app().addMerchant()];
    const buy = (buyer: TestMerchant) => checkout(buyer.keys.sk_live, { tier: 'business' });
    for (let open = 0; open < MAX_OPEN_PURCHASES; open += 1) expect((await buy(shop)).status).toBe(201);
    expectProblem(await buy(shop), 429, 'TOO_MANY_OPEN_PAYMENTS');
    expect((await buy(other)).status).toBe(201);
    expect((await checkout(shop.keys.sk_test, { tier: 'business' })).status).toBe(201);
    const { invoices: open } = await invoices(shop.keys.sk_live);
    await pay(String(open[0]?.transaction_id), 29n);
    expect((await buy(shop)).status).toBe(201);
    expectProblem(await buy(shop), 429, 'TOO_MANY_OPEN_PAYMENTS');
  });

  test('rule 67: create a payment to the operator, and the plan starts when it completes', async () => {
    const shop = await app().addMerchant();
    const { sk_live } = shop.keys;
    const response = await checkout(sk_live, { tier: 'business' });
    expect(response.status).toBe(201);
    const { data } = response.body;
    expect(transactionViolations(data)).toEqual([]);
    expectDocumented('POST /billing/checkout', response);
    expect(data).toMatchObject({
      type: 'billing',
      status: 'pending',
      crypto: 'LTC',
      amount_fiat: 29,
      currency_fiat: 'USD',
      metadata: { purchase_type: 'plan_upgrade', tier: 'business', billing_months: 1, buyer_merchant_id: shop.id },
    });
    // It belongs to the operator: the buyer sees it on its payment page and as an invoice.
    const path = `/transactions/${data.transaction_id}`;
    expectProblem(await app().call({ path, key: sk_live }), 404, 'TRANSACTION_NOT_FOUND');
    expect((await app().call({ path, key: operator.keys.sk_live })).status).toBe(200);
    const invoice = {
      transaction_id: data.transaction_id,
      purchase_type: 'plan_upgrade',
      amount_fiat: 29,
      currency_fiat: 'USD',
      status: 'pending',
      crypto_symbol: 'LTC',
      created_at: data.created_at,
      confirmed_at: null,
      expires_at: data.expires_at,
    };
    expect(await invoices(sk_live)).toEqual({
      invoices: [invoice],
      pagination: { limit: 20, offset: 0, total: 1 },
    });
    expect(await planOf(shop)).toMatchObject({ tier: 'starter' });

    app().clock.advance(60_000);
    await pay(data.transaction_id, 29n);
    const now = app().clock.now();
    expect(await planOf(shop)).toEqual({
      tier: 'business',
      billing_cycle: 'monthly',
      auto_renewal: false,
      expires_at: new Date(addMonths(now, 1)).toISOString(),
    });
    const paid = { ...invoice, status: 'completed', confirmed_at: new Date(now).toISOString() };
    expect((await invoices(sk_live)).invoices).toEqual([paid]);
    const usage = await database().db.selectFrom('monthly_usage').selectAll().execute();
    expect(usage).toEqual([]);
  });

  test('rule 67: for twelve months cost the yearly price, and a renewal starts at the end', async () => {
    const shop = await app().addMerchant();
    const { sk_live } = shop.keys;
    const first = await checkout(sk_live, { tier: 'professional', billing_months: 12, payment_method: 'crypto' });
    expect(first.body.data).toMatchObject({ amount_fiat: 990 });
    await pay(first.body.data.transaction_id, 990n);
    const end = addMonths(app().clock.now(), 12);
    expect(await planOf(shop)).toMatchObject({ billing_cycle: 'yearly', expires_at: new Date(end).toISOString() });
    app().clock.advance(DAY_MS);
    const second = await checkout(sk_live, { tier: 'professional', billing_months: 2 });
    expect(second.body.data).toMatchObject({ amount_fiat: 198, metadata: { purchase_type: 'plan_renewal' } });
    await pay(second.body.data.transaction_id, 198n);
    const renewed = { billing_cycle: 'monthly', expires_at: new Date(addMonths(end, 2)).toISOString() };
    expect(await planOf(shop)).toMatchObject(renewed);
    const page = await invoices(sk_live, '?limit=1&offset=1');
    expect(page.pagination).toEqual({ limit: 1, offset: 1, total: 2 });
    expect(page.invoices).toMatchObject([{ transaction_id: first.body.data.transaction_id }]);
    expect((await invoices(sk_live)).invoices.map(({ purchase_type }) => purchase_type)).toEqual([
      'plan_renewal',
      'plan_upgrade',
    ]);
  });

  test('with a test key are simulated, have invoices of their own, and change no plan', async () => {
    const shop = await app().addMerchant();
    const response = await checkout(shop.keys.sk_test, { tier: 'business', crypto: 'DOGE' });
    expect(response).toMatchObject({ status: 201, body: { data: { type: 'billing', crypto: 'DOGE' } } });
    const { transaction_id: id } = response.body.data;
    await app().simulate(operator.keys.sk_test, id, 'pay');
    await app().simulate(operator.keys.sk_test, id, 'confirm');
    expect((await invoices(shop.keys.sk_test)).invoices).toMatchObject([{ status: 'completed' }]);
    expect((await invoices(shop.keys.sk_live)).invoices).toEqual([]);
    expect(await planOf(shop)).toMatchObject({ tier: 'starter', expires_at: null });
    // Without a given coin, a test key pays with the one a live key would.
    expect((await checkout(shop.keys.sk_test, { tier: 'business' })).body.data).toMatchObject({ crypto: 'LTC' });
  });

  test('rule 66: are possible on a lapsed plan', async () => {
    const shop = await app().addMerchant();
    await database()
      .db.updateTable('merchant')
      .set({ plan: 'professional', plan_expires_at: new Date(app().clock.now() - 30 * DAY_MS) })
      .where('id', '=', shop.id)
      .execute();
    const body = { crypto: 'LTC', amount: 25 };
    const create = () => app().call({ method: 'POST', path: '/transactions/create', key: shop.keys.sk_test, body });
    expectProblem(await create(), 403, 'NO_ACTIVE_PLAN');
    const bought = await checkout(shop.keys.sk_live, { tier: 'business' });
    await pay(bought.body.data.transaction_id, 29n);
    expect(await planOf(shop)).toMatchObject({
      tier: 'business',
      expires_at: new Date(addMonths(app().clock.now(), 1)).toISOString(),
    });
    expect((await create()).status).toBe(201);
  });

  test.each([
    ['a plan whose price is agreed in person', { tier: 'enterprise' }, /agreed individually.* Contact/],
    ['a plan that costs nothing', { tier: 'starter' }, /is free.* Contact/],
  ])('are rejected for %s, with the remedy', async (_name, body, message) => {
    const shop = await app().addMerchant();
    const response = await checkout(shop.keys.sk_live, body);
    expect(expectProblem(response, 403, 'FORBIDDEN').message).toMatch(message);
    expect((await invoices(shop.keys.sk_live)).invoices).toEqual([]);
  });

  test('are rejected for a lower plan, for a plan without an end, and for the operator', async () => {
    const shop = await app().addMerchant();
    const setPlan = (plan: string) =>
      database().db.updateTable('merchant').set({ plan }).where('id', '=', shop.id).execute();
    await setPlan('professional');
    const lower = await checkout(shop.keys.sk_live, { tier: 'business' });
    expect(expectProblem(lower, 403, 'FORBIDDEN').message).toMatch(/higher than business/);
    const same = await checkout(shop.keys.sk_live, { tier: 'professional' });
    expect(expectProblem(same, 403, 'FORBIDDEN').message).toMatch(/does not expire/);
    const own = await checkout(operator.keys.sk_live, { tier: 'professional' });
    expect(expectProblem(own, 403, 'FORBIDDEN').message).toMatch(/quittance merchant plan/);
  });

  test.each<[string, object, string, string]>([
    ['no tier', {}, 'INVALID_REQUEST', 'tier'],
    ['an unknown tier', { tier: 'gold' }, 'INVALID_REQUEST', 'tier'],
    ['no month', { tier: 'business', billing_months: 0 }, 'INVALID_REQUEST', 'billing_months'],
    ['half a month', { tier: 'business', billing_months: 1.5 }, 'INVALID_REQUEST', 'billing_months'],
    ['months as text', { tier: 'business', billing_months: '1' }, 'INVALID_REQUEST', 'billing_months'],
    ['too many months', { tier: 'business', billing_months: 121 }, 'INVALID_REQUEST', 'billing_months'],
    ['another way to pay', { tier: 'business', payment_method: 'card' }, 'INVALID_REQUEST', 'payment_method'],
    ['an unknown coin', { tier: 'business', crypto: 'XMR' }, 'INVALID_CRYPTO', 'crypto'],
    ['a coin the operator does not take', { tier: 'business', crypto: 'BTC' }, 'WALLET_NOT_CONFIGURED', 'crypto'],
    ['an unknown field', { tier: 'business', months: 1 }, 'INVALID_REQUEST', 'months'],
  ])('with %s are rejected', async (_name, body, code, field) => {
    const { keys } = await app().addMerchant();
    const response: ApiResponse<unknown> = await checkout(keys.sk_live, body);
    expect(expectProblem(response, 400, code).details?.map((detail) => detail.field)).toContain(field);
  });

  test('a page has 20 invoices by default, and at most 100', async () => {
    for (const [query, limit] of [
      ['', 20],
      ['?limit=100', 100],
    ] as const) {
      const response = await app().call({ path: `/invoices${query}`, key: operator.keys.sk_live });
      expect(response.body).toMatchObject({ data: { pagination: { limit, offset: 0 } } });
    }
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1.5', 'limit'],
    ['offset=-1', 'offset'],
    ['status=pending', 'status'],
  ])('invoices with ?%s are rejected', async (query, field) => {
    const response = await app().call({ path: `/invoices?${query}`, key: operator.keys.sk_live });
    expect(expectProblem(response, 400, 'INVALID_REQUEST').details).toMatchObject([{ field }]);
  });
});

describeDatabases('a service that sells no plans', (database) => {
  const { app, merchant } = useApp(database);

  test('rejects purchases with the remedy', async () => {
    const key = merchant().keys.sk_live;
    const body = { tier: 'business' };
    const response = await app().call({ method: 'POST', path: '/billing/checkout', key, body });
    expect(expectProblem(response, 403, 'FORBIDDEN').message).toMatch(/OPERATOR_MERCHANT.* Contact/);
  });
});
