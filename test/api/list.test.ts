import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { TransactionView } from '../../src/payments/index.ts';
import type { TestMerchant } from '../support/app.ts';
import { describeBothDatabases } from '../support/database.ts';
import { assertAsyncProperty } from '../support/fast-check.ts';
import { useApp } from './support.ts';

interface Page {
  readonly data: {
    readonly transactions: readonly TransactionView[];
    readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number };
  };
}

const COINS = ['LTC', 'BTC', 'ETH'] as const;

describeBothDatabases('listing transactions', (database) => {
  const { app } = useApp(database);
  let owner: TestMerchant;
  /** Newest first. */
  let all: TransactionView[] = [];

  beforeAll(async () => {
    owner = await app().addMerchant();
    const { sk_test } = owner.keys;
    for (let count = 0; count < 30; count += 1) {
      // Some are created in the same millisecond.
      if (count % 3 === 0) app().clock.advance(1_000);
      const crypto = COINS[count % COINS.length];
      const { transaction_id: id } = await app().create(sk_test, { crypto, amount: 5 + count });
      if (count % 4 === 1) await app().simulate(sk_test, id, 'pay');
      if (count % 4 === 2) await app().simulate(sk_test, id, 'pay_partial');
      const now = await app().call<{ data: TransactionView }>({ path: `/transactions/${id}`, key: sk_test });
      all.push(now.body.data);
    }
    all = all.toSorted((a, b) => (newness(a) < newness(b) ? 1 : -1));
  });

  async function list(query: Readonly<Record<string, string | number>>): Promise<Page['data']> {
    const text = Object.entries(query)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
    const answer = await app().call<Page>({ path: `/transactions/list?${text}`, key: owner.keys.sk_test });
    expect(answer.status).toBe(200);
    return answer.body.data;
  }

  test('gives the newest 20 unless told otherwise, ties by id', async () => {
    const page = await list({});
    expect(page.pagination).toEqual({ limit: 20, offset: 0, total: 30 });
    expect(page.transactions).toEqual(all.slice(0, 20));
  });

  test('answers every filter and page as filtering and cutting the whole list would', async () => {
    const query = fc.record(
      {
        limit: fc.integer({ min: 1, max: 100 }),
        offset: fc.oneof(fc.integer({ min: 0, max: 35 }), fc.maxSafeNat()),
        status: fc.constantFrom('pending', 'partial', 'awaiting_confirmation', 'completed'),
        crypto: fc.constantFrom(...COINS, 'DOGE'),
        ids: fc.array(fc.oneof(fc.nat({ max: 29 }), fc.constantFrom('unknown', '', ' ', 'txn_x')), { maxLength: 12 }),
      },
      { requiredKeys: [] },
    );
    await assertAsyncProperty(
      fc.asyncProperty(query, async ({ ids, ...rest }) => {
        const named = ids?.map((id) => (typeof id === 'number' ? (all[id]?.transaction_id ?? '') : id));
        const page = await list({ ...rest, ...(named === undefined ? {} : { ids: named.join(',') }) });
        const expected = all
          .filter((each) => named === undefined || named.includes(each.transaction_id))
          .filter((each) => rest.status === undefined || each.status === rest.status)
          .filter((each) => rest.crypto === undefined || each.crypto === rest.crypto);
        const { limit = 20, offset = 0 } = rest;
        expect(page.pagination).toEqual({ limit, offset, total: expected.length });
        expect(page.transactions).toEqual(expected.slice(offset, offset + limit));
      }),
      { numRuns: 200 },
    );
  });

  test('pages put together are the whole list, for every page size', async () => {
    for (const limit of [1, 7, 10, 29, 30, 31, 100]) {
      const seen: TransactionView[] = [];
      for (let offset = 0; offset < 30; offset += limit) seen.push(...(await list({ limit, offset })).transactions);
      expect(seen).toEqual(all);
    }
  });

  test('takes 100 ids, repeated and with white space', async () => {
    const ids = Array.from({ length: 100 }, (_, place) => ` ${all[place % 30]?.transaction_id} `).join(',');
    const page = await list({ ids, limit: 100 });
    expect(page.transactions).toEqual(all);
  });

  test('answers with nothing when all ids are unknown or blank', async () => {
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
