import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { TransactionView } from '../../../../src/payments/index.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { assertAsyncProperty } from '../../../support/run/fast-check.ts';
import { level } from '../../../support/run/level.ts';
import type { TestMerchant } from '../../../support/service/app.ts';
import { expectProblem, useApp } from '../support.ts';

interface Page {
  readonly data: {
    readonly transactions: readonly TransactionView[];
    readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number };
  };
}

const COINS = ['LTC', 'BTC', 'ETH'] as const;
const ORDERS = ['order-1', 'order 2 & ß', "order'3"];

describeDatabases('the list of transactions', (database) => {
  const { app } = useApp(database);
  let owner: TestMerchant;
  /** Newest first. */
  let all: TransactionView[] = [];

  beforeAll(async () => {
    owner = await app().addMerchant();
    const { sk_test } = owner.keys;
    await database().db.updateTable('merchant').set({ plan: 'professional' }).where('id', '=', owner.id).execute();
    for (let count = 0; count < 30; count += 1) {
      // Some are created in the same millisecond.
      if (count % 3 === 0) app().clock.advance(1_000);
      const crypto = COINS[count % COINS.length];
      const id =
        count % 5 === 3 ? await createDetailed(crypto, ORDERS[count % ORDERS.length]) : await create(crypto, count);
      if (count % 4 === 1) await app().simulate(sk_test, id, 'pay');
      if (count % 4 === 2) await app().simulate(sk_test, id, 'pay_partial');
      if (count % 7 === 4)
        await app()
          .simulate(sk_test, id, 'pay_late')
          .catch(() => {});
      if (count % 7 === 5 && crypto === 'ETH')
        await app()
          .simulate(sk_test, id, 'drop_balance')
          .catch(() => {});
      const now = await app().call<{ data: TransactionView }>({ path: `/transactions/${id}`, key: sk_test });
      all.push(now.body.data);
    }
    all = all.toSorted((a, b) => (newness(a) < newness(b) ? 1 : -1));
  });

  async function create(crypto: string | undefined, count: number): Promise<string> {
    return (await app().create(owner.keys.sk_test, { crypto, amount: 5 + count })).transaction_id;
  }

  async function createDetailed(crypto: string | undefined, orderId: string | undefined): Promise<string> {
    const body = { crypto, order_id: orderId, items: [{ name: 'Tea', price: 5 }] };
    const response = await app().call<{ data: TransactionView }>({
      method: 'POST',
      path: '/transactions/create-detailed',
      key: owner.keys.sk_test,
      body,
    });
    return response.body.data.transaction_id;
  }

  async function list(query: Readonly<Record<string, string | number>>): Promise<Page['data']> {
    const text = Object.entries(query)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
    const response = await app().call<Page>({ path: `/transactions/list?${text}`, key: owner.keys.sk_test });
    expect(response.status).toBe(200);
    return response.body.data;
  }

  test('rule 71: returns the newest 20 by default, ties by id', async () => {
    const page = await list({});
    expect(page.pagination).toEqual({ limit: 20, offset: 0, total: 30 });
    expect(page.transactions).toEqual(all.slice(0, 20));
  });

  test('returns for every filter and page the same as filtering and slicing the whole list', async () => {
    const query = fc.record(
      {
        limit: fc.integer({ min: 1, max: 100 }),
        offset: fc.oneof(fc.integer({ min: 0, max: 35 }), fc.maxSafeNat()),
        status: fc.constantFrom('pending', 'partial', 'awaiting_confirmation', 'expired', 'completed'),
        crypto: fc.constantFrom(...COINS, 'DOGE'),
        exception: fc.constantFrom('paid_late', 'needs_review'),
        order_id: fc.constantFrom(...ORDERS, 'order-unknown'),
        created_from: fc.nat({ max: 29 }),
        created_to: fc.nat({ max: 29 }),
        ids: fc.array(fc.oneof(fc.nat({ max: 29 }), fc.constantFrom('unknown', '', ' ', 'txn_x')), { maxLength: 12 }),
      },
      { requiredKeys: [] },
    );
    await assertAsyncProperty(
      fc.asyncProperty(query, async ({ ids, created_from, created_to, ...rest }) => {
        const timestampOf = (index: number) => all[index]?.created_at ?? '';
        const named = ids?.map((id) => (typeof id === 'number' ? (all[id]?.transaction_id ?? '') : id));
        const page = await list({
          ...rest,
          ...(created_from === undefined ? {} : { created_from: timestampOf(created_from) }),
          ...(created_to === undefined ? {} : { created_to: timestampOf(created_to) }),
          ...(named === undefined ? {} : { ids: named.join(',') }),
        });
        const expected = all
          .filter((each) => named === undefined || named.includes(each.transaction_id))
          .filter((each) => rest.status === undefined || each.status === rest.status)
          .filter((each) => rest.crypto === undefined || each.crypto === rest.crypto)
          .filter((each) => rest.exception === undefined || each.exception === rest.exception)
          .filter((each) => rest.order_id === undefined || each.order_id === rest.order_id)
          .filter((each) => created_from === undefined || each.created_at >= timestampOf(created_from))
          .filter((each) => created_to === undefined || each.created_at < timestampOf(created_to));
        const { limit = 20, offset = 0 } = rest;
        expect(page.pagination).toEqual({ limit, offset, total: expected.length });
        expect(page.transactions).toEqual(expected.slice(offset, offset + limit));
      }),
      { numRuns: level.runs(200) },
    );
  });

  test('is complete when all pages are joined, for every page size', async () => {
    for (const limit of [1, 7, 10, 29, 30, 31, 100]) {
      const seen: TransactionView[] = [];
      for (let offset = 0; offset < 30; offset += limit) seen.push(...(await list({ limit, offset })).transactions);
      expect(seen).toEqual(all);
    }
  });

  test('accepts 100 ids, repeated and with white space', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => ` ${all[index % 30]?.transaction_id} `).join(',');
    const page = await list({ ids, limit: 100 });
    expect(page.transactions).toEqual(all);
  });

  test('accepts a time with an offset, or a day', async () => {
    const [newest] = all;
    const at = Date.parse(newest?.created_at ?? '');
    const elsewhere = new Date(at + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30');
    expect(await list({ created_from: elsewhere })).toEqual(await list({ created_from: newest?.created_at ?? '' }));
    const day = (newest?.created_at ?? '').slice(0, 10);
    expect((await list({ created_from: day })).pagination.total).toBe(30);
    expect((await list({ created_to: day })).pagination.total).toBe(0);
    expect((await list({ created_from: '0001-01-01', created_to: '9999-12-31' })).pagination.total).toBe(30);
    expect((await list({ created_from: '0000-01-01' })).pagination.total).toBe(30);
  });

  test.each([
    ['created_from', 'yesterday'],
    ['created_from', '2026-11-21T10:00:00'],
    ['created_to', '2026-11-21T10:00:00 02:00'],
    ['created_to', '2026-02-30'],
    ['created_from', '2026-02-30T00:00:00Z'],
    ['created_from', '2026-11-21T25:00:00Z'],
    ['created_to', '1795219200000'],
    ['exception', 'late'],
    ['order_id', ''],
    ['order_id', 'a\u0000'],
    ['order_id', 'x'.repeat(256)],
  ])('rejects %s=%s', async (field, value) => {
    const path = `/transactions/list?${field}=${encodeURIComponent(value)}`;
    const problem = expectProblem(await app().call({ path, key: owner.keys.sk_test }), 400, 'INVALID_REQUEST');
    expect(problem.details).toMatchObject([{ field }]);
  });

  test('keeps its count table equal to the rows, whatever happens to it', async () => {
    const { rows } = await sql<{ id: string }>`
      select coalesce(there.crypto, counted.crypto) as id from (
        select merchant_id, mode, status, crypto, coalesce(exception, '') as exception, count(*) as transactions
        from transaction group by 1, 2, 3, 4, 5
      ) as there
      full join (
        select merchant_id, mode, status, crypto, exception, sum(transactions) as transactions
        from transaction_count group by 1, 2, 3, 4, 5 having sum(transactions) <> 0
      ) as counted using (merchant_id, mode, status, crypto, exception)
      where there.transactions is distinct from counted.transactions`.execute(database().db);
    expect(rows).toEqual([]);
  });

  test('rule 71: returns nothing when all ids are unknown or blank', async () => {
    for (const ids of ['', ',', ' , ', 'unknown', 'a\u0000b']) {
      expect(await list({ ids, limit: 3, offset: 2 })).toEqual({
        transactions: [],
        pagination: { limit: 3, offset: 2, total: 0 },
      });
    }
  });
});

// Helpers

function newness({ created_at: createdAt, transaction_id: id }: TransactionView): string {
  return `${createdAt} ${id}`;
}
