import { expect, test } from 'vitest';
import { changePlan } from '../../../src/billing/index.ts';
import { readDocument, tableRows } from '../../docs/markdown.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { expectDocumented, expectProblem, useApp } from './support.ts';

interface Plans {
  readonly success: true;
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

const COMMON = { overage_cost_per_tx: 0, webhook_support: true };
/** The limits of the interface, and the prices and features it leaves to the service. */
const DELIVERED = [
  ['starter', 0, 0, 50, 1, false, 30, 500, false],
  ['business', 29, 290, 1_000, 3, false, 100, 2_000, false],
  ['professional', 99, 990, 10_000, 10, true, 300, 5_000, false],
  ['enterprise', null, null, null, null, true, 1_000, 20_000, true],
].map(([tier, monthly, yearly, limit, webhooks, ipWhitelist, perMinute, perHour, custom]) => ({
  ...COMMON,
  tier,
  monthly_price_usd: monthly,
  yearly_price_usd: yearly,
  monthly_transaction_limit: limit,
  webhook_limit: webhooks,
  ip_whitelist: ipWhitelist,
  api_rate_limit_per_minute: perMinute,
  api_rate_limit_per_hour: perHour,
  custom_pricing: custom,
}));

test('docs/merchants/payment-rules.md states the default prices and limits of plans', () => {
  const header = ['Plan', 'A month', '12 months', 'Payments a month', 'Webhook endpoints'];
  const feature = 'ip_whitelist, itemized payments';
  const rows = tableRows(readDocument('docs/merchants/payment-rules.md'), [...header, feature]);
  const usd = (price: unknown) => (typeof price === 'number' ? `${price} USD` : 'agreed in person');
  const count = (value: unknown) => (typeof value === 'number' ? value.toLocaleString('en-US') : 'no limit');
  expect(rows).toEqual(
    DELIVERED.map((plan) => [
      plan.tier,
      usd(plan.monthly_price_usd),
      usd(plan.yearly_price_usd),
      count(plan.monthly_transaction_limit),
      count(plan.webhook_limit),
      plan.ip_whitelist === true ? 'yes' : 'no',
    ]),
  );
});

describeDatabases('GET /plans', (database) => {
  const { app, merchant } = useApp(database);
  const list = () => app().call<Plans>({ path: '/plans', key: merchant().keys.sk_test });

  test('lists the default plans, the lowest first, the same to live keys', async () => {
    const response = await list();
    expect(response.body).toEqual({ success: true, data: DELIVERED });
    expect(response.status).toBe(200);
    const toLive = await app().call({ path: '/plans', key: merchant().keys.sk_live });
    expect(toLive.body).toEqual(response.body);
    expectDocumented('GET /plans', response);
  });

  test('shows changes by the operator immediately', async () => {
    const { db } = database();
    const { monthlyPriceCents, webhookLimit } = await db.transaction().execute((trx) =>
      changePlan(trx, 'business', {
        monthlyPriceCents: 1_950,
        webhookLimit: 0,
      }),
    );
    expect([monthlyPriceCents, webhookLimit]).toEqual([1_950, 0]);
    const changed = (await list()).body.data.find(({ tier }) => tier === 'business');
    expect(changed).toEqual({ ...DELIVERED[1], monthly_price_usd: 19.5, webhook_limit: 0, webhook_support: false });
    await db.transaction().execute((trx) => changePlan(trx, 'business', { monthlyPriceCents: 2_900, webhookLimit: 3 }));
    expect((await list()).body.data).toEqual(DELIVERED);
  });

  test.each([[{ monthlyPriceCents: 99 }], [{ yearlyPriceCents: 1 }], [{ monthlyPriceCents: null }]])(
    'cannot be changed to a price that cannot be paid: %j',
    async (changes) => {
      await expect(
        database()
          .db.transaction()
          .execute((trx) => changePlan(trx, 'business', changes)),
      ).rejects.toMatchObject({ code: 'INVALID_PLAN' });
      expect((await list()).body.data).toEqual(DELIVERED);
    },
  );

  test('needs a key, and accepts no parameters of its own', async () => {
    expectProblem(await app().call({ path: '/plans', key: null }), 401, 'UNAUTHORIZED');
    expectProblem(await app().call({ path: '/plans', key: merchant().keys.pk_live }), 403, 'USE_PAY_ENDPOINT');
  });
});

describeDatabases('a service without plans', (database) => {
  const { app, merchant } = useApp(database, { plansEnabled: false, operatorMerchant: 'Nobody' });

  test('has one plan without limits for every merchant', async () => {
    const key = merchant().keys.sk_test;
    const { body } = await app().call<Plans>({ path: '/plans', key });
    expect(body.data).toEqual([
      {
        ...DELIVERED[3],
        monthly_price_usd: 0,
        yearly_price_usd: 0,
        custom_pricing: false,
      },
    ]);
    const account = await app().call({ path: '/account', key });
    expect(account.body).toMatchObject({
      data: {
        plan: { tier: 'enterprise', billing_cycle: null, expires_at: null },
        usage: { monthly_transactions_used: 0, monthly_transaction_limit: null },
      },
    });
  });

  test('sells nothing, and creates payments whatever plan the database contains', async () => {
    const { db } = database();
    const key = merchant().keys.sk_test;
    const body = { tier: 'professional' };
    const response = await app().call({ method: 'POST', path: '/billing/checkout', key, body });
    expect(expectProblem(response, 403, 'FORBIDDEN').message).toMatch(/no plans/);
    await db
      .updateTable('merchant')
      .set({ plan: 'business', plan_expires_at: new Date(0) })
      .where('id', '=', merchant().id)
      .execute();
    expect(await app().create(key)).toMatchObject({ status: 'pending' });
  });
});
