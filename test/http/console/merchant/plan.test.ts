import { beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../../../machines/index.ts';
import { monthOf } from '../../../../src/billing/index.ts';
import type { InvoiceList, PlanInfo } from '../../../../src/http/console/merchant/plan/schemas.ts';
import { PLAN_TIERS, type PlanTier, upsertMerchant } from '../../../../src/merchants/index.ts';
import { createTestClock } from '../../../support/clock.ts';
import { describePostgres } from '../../../support/database/test-database.ts';
import { type ConsoleResponse, startConsole, type Who } from '../support/console.ts';
import { describeConsole } from '../support/describe-console.ts';

const OPERATOR = 'who-runs-it';
/** Plan ends are calculated from now, so the clock must stand still. */
const CLOCK = createTestClock();
const BUY = { mode: 'test', tier: 'professional', billingMonths: 1 } as const;

describeConsole(
  'the plan of a merchant in the console',
  { env: { OPERATOR_MERCHANT: OPERATOR }, clock: CLOCK },
  (console) => {
    /** The answers before the operator had a merchant account. */
    let withoutSeller: { readonly plan: PlanInfo; readonly checkout: ConsoleResponse };
    beforeAll(async () => {
      withoutSeller = { plan: await read(), checkout: await checkout() };
      await console.db
        .transaction()
        .execute((trx) =>
          upsertMerchant(trx, { name: OPERATOR, email: 'operator@example.com', plan: 'enterprise', settings: {} }),
        );
    }, 60_000);

    const read = async (): Promise<PlanInfo> =>
      (await console.call('staff', { path: '/merchant/plan?mode=test' })).data;
    const checkout = (body: unknown = BUY) =>
      console.call('owner', { method: 'POST', path: '/merchant/plan/checkout', body });
    const invoices = async (query = 'mode=test', who: Who = 'staff'): Promise<InvoiceList> =>
      (await console.call(who, { path: `/merchant/plan/invoices?${query}` })).data;
    const hold = (plan: PlanTier, endsInMs: number | null) =>
      console.db
        .updateTable('merchant')
        .set({
          plan,
          plan_cycle: endsInMs === null ? null : 'monthly',
          plan_expires_at: endsInMs === null ? null : new Date(CLOCK.now() + endsInMs),
        })
        .where('id', '=', console.merchantId)
        .execute();

    test('cannot be bought while no merchant receives plan payments, which is shown next to the plans', async () => {
      expect(withoutSeller.plan).toMatchObject({ salesStatus: 'no_recipient', payableIn: [] });
      expect(withoutSeller.plan.choices).toHaveLength(PLAN_TIERS.length);
      expect(withoutSeller.checkout).toMatchObject({ status: 403, error: 'FORBIDDEN' });
      expect((await read()).salesStatus).toBe('open');
    });

    test('offers exactly what a checkout then accepts, for any current plan', async () => {
      for (const [held, endsInMs] of [
        ['professional', null],
        ['starter', null],
        ['business', 10 * DAY_MS],
        ['business', -DAY_MS],
        ['professional', -30 * DAY_MS],
      ] as const) {
        await hold(held, endsInMs);
        const { choices, salesStatus } = await read();
        expect(salesStatus).toBe('open');
        expect(choices.map(({ terms }) => terms.tier)).toEqual(PLAN_TIERS);
        for (const { terms, purchase, obstacle, prices } of choices) {
          const name = `${terms.tier} while ${held} ends in ${endsInMs}`;
          expect(purchase === null, name).toBe(obstacle !== null);
          const response = await checkout({ ...BUY, tier: terms.tier, billingMonths: 12 });
          expect(response.status, `${name}: ${response.text}`).toBe(purchase === null ? 403 : 201);
          if (purchase === null) continue;
          const newest = (await invoices('mode=test&limit=100')).invoices.find(
            ({ id }) => id === response.data.paymentId,
          );
          const yearly = prices.find(({ months }) => months === 12);
          expect(newest, name).toMatchObject({ purchase, status: 'pending', currency: 'USD', paidAt: null });
          expect(Number(newest?.amount)).toBe(Number(yearly?.usd));
          expect(newest?.paymentUrl).toBe(response.data.paymentUrl);
        }
      }
    });

    test('shows its status: active, in its days of grace, ended', async () => {
      await hold('business', 2 * DAY_MS);
      expect((await read()).held).toMatchObject({
        condition: 'running',
        endsAt: CLOCK.now() + 2 * DAY_MS,
        graceEndsAt: CLOCK.now() + 9 * DAY_MS,
        cycle: 'monthly',
      });
      await hold('business', -DAY_MS);
      expect((await read()).held.condition).toBe('in_grace');
      await hold('business', -7 * DAY_MS);
      expect((await read()).held.condition).toBe('lapsed');
      await hold('professional', null);
      expect((await read()).held).toMatchObject({ condition: 'running', endsAt: null, graceEndsAt: null });
    });

    test('counts its usage, with an allowance above the limit the first time', async () => {
      await hold('starter', null);
      const { monthlyPayments: limit } = (await read()).held.terms;
      if (limit === null) throw new Error('the lowest plan has a limit');
      await console.db
        .insertInto('monthly_usage')
        .values({ merchant_id: console.merchantId, month: monthOf(CLOCK.now()), used: limit })
        .execute();
      expect(await read()).toMatchObject({ used: limit, allowance: limit + 5 });
      await console.db
        .updateTable('merchant')
        .set({ limit_first_reached_in: '2020-01' })
        .where('id', '=', console.merchantId)
        .execute();
      expect(await read()).toMatchObject({ used: limit, allowance: limit });
      await hold('professional', null);
    });

    test('is paid in a coin of choice, on the payment page', async () => {
      await hold('starter', null);
      const { payableIn } = await read();
      expect(payableIn).toContain('BTC');
      const { data } = await checkout({ ...BUY, crypto: 'BTC' });
      const made = (await invoices('mode=test&limit=100')).invoices.find(({ id }) => id === data.paymentId);
      expect(made).toMatchObject({ crypto: 'BTC', purchase: 'plan_upgrade' });
      expect((await fetch(data.paymentUrl)).status).toBe(200);
      await hold('professional', null);
    });

    test('has its invoices in pages, of its own merchant and mode only', async () => {
      const { total } = await invoices();
      expect(total).toBeGreaterThan(2);
      const ids: string[] = [];
      for (let offset = 0; offset < total; offset += 2) {
        const page = await invoices(`mode=test&limit=2&offset=${offset}`);
        expect(page.total).toBe(total);
        ids.push(...page.invoices.map(({ id }) => id));
      }
      expect(new Set(ids).size).toBe(total);
      expect(await invoices('mode=live')).toEqual({ invoices: [], total: 0 });
      expect(await invoices('mode=test', 'neighbour')).toEqual({ invoices: [], total: 0 });
    });

    test('names the invalid field, and creates no payment', async () => {
      const { total } = await invoices();
      for (const [body, field] of [
        [{ ...BUY, mode: undefined }, 'mode'],
        [{ ...BUY, tier: 'gold' }, 'tier'],
        [{ ...BUY, billingMonths: 0 }, 'billingMonths'],
        [{ ...BUY, billingMonths: 121 }, 'billingMonths'],
        [{ ...BUY, crypto: 'DOGE2' }, 'crypto'],
        [{ ...BUY, merchantId: 'mer_other' }, '"merchantId"'],
        [[], 'body'],
      ] as const) {
        const response = await checkout(body);
        expect(response).toMatchObject({ status: 400, error: 'INVALID_REQUEST' });
        expect(response.message?.startsWith(`${field} `), response.message).toBe(true);
      }
      for (const query of ['mode=test&limit=0', 'mode=test&offset=-1', 'mode=none', 'limit=5']) {
        expect(await console.call('owner', { path: `/merchant/plan/invoices?${query}` })).toMatchObject({
          status: 400,
        });
      }
      // Without an operator wallet, no live payment is possible.
      expect(await checkout({ ...BUY, tier: 'enterprise', mode: 'live' })).toMatchObject({ status: 403 });
      expect((await invoices()).total).toBe(total);
    });
  },
);

describePostgres('a service that sells no plans', () => {
  test('offers no plans, and gives the reason', async () => {
    const console = await startConsole({ env: { PLANS: 'off' } });
    const { data } = await console.call('owner', { path: '/merchant/plan?mode=live' });
    expect(data).toMatchObject({
      salesStatus: 'without_plans',
      choices: [],
      allowance: null,
      held: { endsAt: null, condition: 'running', terms: { monthlyPayments: null } },
    });
    expect(await console.call('owner', { method: 'POST', path: '/merchant/plan/checkout', body: BUY })).toMatchObject({
      status: 403,
      message: expect.stringContaining('Plans cannot be bought'),
    });
    await console.close();
  }, 60_000);
});
