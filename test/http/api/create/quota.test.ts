import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../../machines/index.ts';
import { monthOf, nextMonthStart } from '../../../../src/billing/index.ts';
import type { TransactionView } from '../../../../src/payments/index.ts';
import { chainEventCommand } from '../../../../src/payments/watching/chain-events.ts';
import { connect } from '../../../../src/platform/db/index.ts';
import type { Engine } from '../../../../src/platform/engine/index.ts';
import { createBillingEngine, report } from '../../../billing/harness.ts';
import {
  createPostgresDatabase,
  describeDatabases,
  describePostgres,
  type TestDatabase,
} from '../../../support/database/test-database.ts';
import { deferred } from '../../../support/deferred.ts';
import { level } from '../../../support/run/level.ts';
import { type ApiResponse, startApp, type TestApp, type TestMerchant } from '../../../support/service/app.ts';
import { expectProblem, useApp } from '../support.ts';

type Db = TestDatabase['db'];

/** One USD is a hundredth of a coin, which is what the test harness pays. */
const LIVE_RATES = { LTC: '100' };
const LIMIT = 3;
/** Concurrent requests. */
const MANY = level.pick({ quick: 40, full: 500 });
/** Payments that complete while creates race with them. */
const RACING = 20;

interface Shop {
  readonly app: TestApp;
  readonly merchant: TestMerchant;
  readonly engine: Engine;
}

function create({ app, merchant }: Pick<Shop, 'app' | 'merchant'>, idempotencyKey?: string) {
  const headers = idempotencyKey === undefined ? {} : { 'x-idempotency-key': idempotencyKey };
  const body = { crypto: 'LTC', amount: 1 };
  const request = { method: 'POST', path: '/transactions/create', key: merchant.keys.sk_live, body, headers } as const;
  return app.call<{ data: TransactionView }>(request);
}

/** Creates a live payment and has it paid. */
async function sell(shop: Shop): Promise<string> {
  const { status, body } = await create(shop);
  expect(status).toBe(201);
  await complete(shop, body.data.transaction_id);
  return body.data.transaction_id;
}

async function complete(
  { app, engine }: Pick<Shop, 'app' | 'engine'>,
  id: string,
  firstSeenAt = app.clock.now(),
): Promise<void> {
  expect(await notifyConfirmed(engine, id, firstSeenAt)).toBe('applied');
}

async function notifyConfirmed(engine: Engine, id: string, firstSeenAt: number): Promise<string> {
  const confirmed = { kind: 'confirmed', height: 100, blockHash: 'a' } as const;
  return (await engine.deliver(chainEventCommand(id, report(id, 1, confirmed, firstSeenAt)))).outcome;
}

async function addShop(app: TestApp, engine: Engine): Promise<Shop> {
  const merchant = await app.addMerchant();
  await app.addLiveWallet(merchant);
  return { app, merchant, engine };
}

function setLimit(db: Db, limit: number) {
  return db.updateTable('plan').set({ monthly_transaction_limit: limit }).where('tier', '=', 'starter').execute();
}

async function usageOf({ app, merchant }: Pick<Shop, 'app' | 'merchant'>): Promise<unknown> {
  const { body } = await app.call<{ data: { usage: unknown } }>({ path: '/account', key: merchant.keys.sk_live });
  return body.data.usage;
}

function expectLimit(response: ApiResponse<unknown>, used: number, limit: number): void {
  const { message } = expectProblem(response, 429, 'MONTHLY_LIMIT_REACHED');
  expect(message).toContain(`${used}/${limit} payments`);
  expect(message).toMatch(/Upgrade with POST \/billing\/checkout/);
  // A retry does not help, so there is no Retry-After.
  expect(response.headers).not.toHaveProperty('retry-after');
}

describeDatabases('the monthly limit', (database) => {
  const { app } = useApp(database, { liveRates: LIVE_RATES });
  const openShop = async () => {
    await setLimit(database().db, LIMIT);
    return addShop(app(), createBillingEngine(database().db, app().clock));
  };

  test('blocks new payments 5 later the first time, and immediately from then on', async () => {
    const shop = await openShop();
    for (let used = 0; used < LIMIT + 5; used += 1) {
      expect(await usageOf(shop)).toEqual({
        monthly_transactions_used: used,
        monthly_transaction_limit: LIMIT,
        overage_cost_per_tx: 0,
      });
      await sell(shop);
    }
    expectLimit(await create(shop), LIMIT + 5, LIMIT);

    app().clock.advance(nextMonthStart(app().clock.now()) - app().clock.now() - 1);
    expectLimit(await create(shop), LIMIT + 5, LIMIT);
    app().clock.advance(1);
    for (let used = 0; used < LIMIT; used += 1) await sell(shop);
    expectLimit(await create(shop), LIMIT, LIMIT);
  });

  test('lets open checkouts be paid, and counts them', async () => {
    const shop = await openShop();
    const open = (await create(shop)).body.data.transaction_id;
    for (let used = 0; used < LIMIT + 5; used += 1) await sell(shop);
    expectLimit(await create(shop), LIMIT + 5, LIMIT);
    await complete(shop, open);
    expectLimit(await create(shop), LIMIT + 6, LIMIT);
  });

  test('does not apply to retries, tests, or reads', async () => {
    const shop = await openShop();
    const first = await create(shop, 'order-1');
    for (let used = 0; used < LIMIT + 5; used += 1) await sell(shop);
    expectLimit(await create(shop, 'order-2'), LIMIT + 5, LIMIT);
    const again = await create(shop, 'order-1');
    expect([again.status, again.headers['x-idempotency-replayed']]).toEqual([201, 'true']);
    expect(again.body.data.transaction_id).toBe(first.body.data.transaction_id);
    const { sk_test, sk_live } = shop.merchant.keys;
    const simulated = await app().create(sk_test);
    await app().simulate(sk_test, simulated.transaction_id, 'pay');
    expect(await app().simulate(sk_test, simulated.transaction_id, 'confirm')).toMatchObject({ status: 'completed' });
    expect(await usageOf(shop)).toMatchObject({ monthly_transactions_used: LIMIT + 5 });
    expect((await app().call({ path: '/transactions/list', key: sk_live })).status).toBe(200);
  });

  test('does not count unpaid checkouts', async () => {
    const shop = await openShop();
    const responses = await Promise.all(Array.from({ length: 30 }, () => create(shop)));
    expect(responses.map(({ status }) => status)).toEqual(Array(30).fill(201));
    expect(await usageOf(shop)).toMatchObject({ monthly_transactions_used: 0 });
  });

  test('of another plan applies immediately, to the payments counted before', async () => {
    const shop = await openShop();
    const { db } = database();
    for (let used = 0; used < LIMIT + 5; used += 1) await sell(shop);
    const setPlan = (plan: string) =>
      db.updateTable('merchant').set({ plan }).where('id', '=', shop.merchant.id).execute();
    await setPlan('business');
    await sell(shop);
    expect(await usageOf(shop)).toEqual({
      monthly_transactions_used: LIMIT + 6,
      monthly_transaction_limit: 1_000,
      overage_cost_per_tx: 0,
    });
    await setPlan('starter');
    expectLimit(await create(shop), LIMIT + 6, LIMIT);
  });

  test('is separate for each merchant', async () => {
    const [full, other] = [await openShop(), await openShop()];
    for (let used = 0; used < LIMIT + 5; used += 1) await sell(full);
    expectLimit(await create(full), LIMIT + 5, LIMIT);
    await sell(other);
  });
});

describeDatabases('a plan that has ended', (database) => {
  const { app } = useApp(database, { liveRates: LIVE_RATES });

  test('continues for 7 days; then no payment can be created, and everything else works', async () => {
    const { db } = database();
    const shop = await addShop(app(), createBillingEngine(db, app().clock));
    const { sk_live, sk_test } = shop.merchant.keys;
    const open = (await create(shop, 'order-1')).body.data.transaction_id;
    const end = app().clock.now();
    await db
      .updateTable('merchant')
      .set({ plan: 'business', plan_cycle: 'monthly', plan_expires_at: new Date(end) })
      .where('id', '=', shop.merchant.id)
      .execute();
    app().clock.advance(7 * DAY_MS - 1);
    expect((await create(shop)).status).toBe(201);
    app().clock.advance(1);
    for (const key of [sk_live, sk_test]) {
      const body = { crypto: 'LTC', amount: 1 };
      const response = await app().call({ method: 'POST', path: '/transactions/create', key, body });
      expect(expectProblem(response, 403, 'NO_ACTIVE_PLAN').message).toMatch(/Renew it with POST \/billing\/checkout/);
    }
    for (const path of ['/transactions/list', `/transactions/${open}`, '/account', '/plans', '/invoices']) {
      expect((await app().call({ path, key: sk_live })).status, path).toBe(200);
    }
    expect((await create(shop, 'order-1')).headers['x-idempotency-replayed']).toBe('true');
    // It was paid in time, but the network is polled only now.
    await complete(shop, open, end);
    expect(await usageOf(shop)).toMatchObject({ monthly_transactions_used: 1, monthly_transaction_limit: 1_000 });
  });
});

/**
 * The exact edge. A create depends on the payments whose completion is committed at that time:
 * below the allowance (the limit, and 5 more the first time) every create is accepted, however many
 * there are, because open checkouts do not count; from the completion that fills it on, none is.
 * Every completed payment counts once, including those beyond the allowance.
 */
describePostgres('the edge of the monthly limit, with two processes', () => {
  test(`of ${MANY} concurrent creates all are accepted one payment below it, and none at it; as many completions all count`, async () => {
    const database = await createPostgresDatabase();
    const other = await connect({ url: database.url, dataDir: null, poolSize: 4 });
    const app = await startApp({ connection: database, liveRates: LIVE_RATES });
    try {
      await setLimit(database.db, LIMIT);
      const engines = [createBillingEngine(database.db, app.clock), createBillingEngine(other.db, app.clock)] as const;
      const shop = await addShop(app, engines[0]);
      const allowance = LIMIT + 5;
      for (let used = 1; used < allowance; used += 1) await sell(shop);

      const opened = await Promise.all(Array.from({ length: MANY }, () => create(shop)));
      expect(opened.filter(({ status }) => status === 201)).toHaveLength(MANY);
      await Promise.all(
        opened.map(async ({ body }, index) => {
          // Every fourth is delivered to both processes, as a bus may do.
          const sent = index % 4 === 0 ? engines : [engines[index % 2] ?? engines[0]];
          await Promise.all(sent.map((engine) => notifyConfirmed(engine, body.data.transaction_id, app.clock.now())));
        }),
      );
      const used = allowance - 1 + MANY;
      expect(await usageOf(shop)).toMatchObject({ monthly_transactions_used: used });
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from transaction where status = 'completed'`.execute(database.db);
      expect(rows).toEqual([{ n: used }]);

      const rejected = await Promise.all(Array.from({ length: MANY }, () => create(shop)));
      for (const response of rejected) expectLimit(response, used, LIMIT);
    } finally {
      await app.stop();
      await other.close();
      await database.drop();
    }
  });

  test(`${MANY} creates race with completions: those after the last one are rejected, and the count is exact`, async () => {
    const database = await createPostgresDatabase();
    const other = await connect({ url: database.url, dataDir: null, poolSize: 4 });
    const app = await startApp({ connection: database, liveRates: LIVE_RATES });
    try {
      await setLimit(database.db, LIMIT);
      const shop = await addShop(app, createBillingEngine(other.db, app.clock));
      const allowance = LIMIT + 5;
      const open = await Promise.all(Array.from({ length: RACING }, () => create(shop)));
      let completed = 0;
      const completions = Array.from({ length: RACING + 1 }, () => deferred());
      completions[0]?.resolve();
      const paying = (async () => {
        for (const { body } of open) {
          await complete(shop, body.data.transaction_id);
          completed += 1;
          completions[completed]?.resolve();
        }
      })();
      const racing = Array.from({ length: MANY }, async (_, index) => {
        // In waves: some before, some during and some after the completions.
        await completions[Math.floor((index / MANY) * (RACING + 1))]?.promise;
        const completedBefore = completed;
        const response = await create(shop);
        return { response, completedBefore, completedAfter: completed };
      });
      const raced = await Promise.all(racing);
      await paying;
      for (const { response, completedBefore, completedAfter } of raced) {
        // One more completion may be committed than the loop above knows of.
        if (completedBefore >= allowance) expect(response.status).toBe(429);
        else if (completedAfter + 1 < allowance) expect(response.status).toBe(201);
        if (response.status === 429) expectLimit(response, usedIn(response), LIMIT);
        if (response.status === 429) expect(usedIn(response)).toBeGreaterThanOrEqual(allowance);
      }
      const statuses = new Set(raced.map(({ response }) => response.status));
      expect(statuses).toEqual(new Set([201, 429]));
      expectLimit(await create(shop), RACING, LIMIT);
      const usage = await database.db.selectFrom('monthly_usage').selectAll().execute();
      expect(usage).toEqual([{ merchant_id: shop.merchant.id, month: monthOf(app.clock.now()), used: RACING }]);
    } finally {
      await app.stop();
      await other.close();
      await database.drop();
    }
  });
});

// Helpers

function usedIn({ text }: ApiResponse<unknown>): number {
  return Number(/(\d+)\/\d+ payments/.exec(text)?.[1]);
}
