import { beforeAll, expect, test } from 'vitest';
import type { TransactionView } from '../../src/payments/index.ts';
import { expectProblem, useApp } from '../http/api/support.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { sendRequest } from './harness.ts';
import { MAX_IDS, OFFSET, PAGE_SIZE } from './tables/limits.ts';

interface Page {
  readonly data: {
    readonly transactions?: readonly TransactionView[];
    readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number };
  };
}

describeDatabases('the limits of lists', (database) => {
  const { app, merchant } = useApp(database);
  let key: string;
  beforeAll(async () => {
    key = merchant().keys.sk_test;
    await Promise.all(Array.from({ length: PAGE_SIZE.default + 1 }, () => app().create(key)));
  });

  test.each(['listTransactions', 'listInvoices'] as const)('pages and offsets of %s', async (name) => {
    const page = (query = '') => sendRequest<Page>(app(), name, { key, query });
    const usual = await page();
    expect(usual.body.data.pagination).toMatchObject({ limit: PAGE_SIZE.default, offset: OFFSET.default });
    for (const limit of [PAGE_SIZE.minimum, PAGE_SIZE.maximum]) {
      expect((await page(`limit=${limit}`)).body.data.pagination).toMatchObject({ limit });
    }
    expect((await page('offset=1')).body.data.pagination).toMatchObject({ offset: 1 });
    const wrong = [
      ['limit', PAGE_SIZE.minimum - 1],
      ['limit', PAGE_SIZE.maximum + 1],
      ['limit', 1.5],
      ['offset', OFFSET.minimum - 1],
    ] as const;
    for (const [field, value] of wrong) {
      const problem = expectProblem(await page(`${field}=${value}`), 400, 'INVALID_REQUEST');
      expect(problem.details).toMatchObject([{ field }]);
    }
  });

  test('a page has 20 transactions by default, newest first', async () => {
    const list = async (query = '') => {
      const { body } = await sendRequest<Page>(app(), 'listTransactions', { key, query });
      return { ids: body.data.transactions?.map((each) => each.transaction_id) ?? [], ...body.data.pagination };
    };
    const [usual, all, rest] = [await list(), await list('limit=100'), await list(`offset=${PAGE_SIZE.default}`)];
    expect(usual.ids).toHaveLength(PAGE_SIZE.default);
    expect(all.ids).toHaveLength(Math.min(all.total, PAGE_SIZE.maximum));
    expect(usual.ids).toEqual(all.ids.slice(0, PAGE_SIZE.default));
    expect(rest.ids).toEqual(all.ids.slice(PAGE_SIZE.default, 2 * PAGE_SIZE.default));
    app().clock.advance(1);
    const { transaction_id: newest } = await app().create(key);
    expect((await list('limit=1')).ids).toEqual([newest]);
  });

  test('ids are limited to 100, and unknown ones are skipped', async () => {
    const { transaction_id: mine } = await app().create(key);
    const others = Array.from({ length: MAX_IDS - 1 }, (_, index) => `txn_${String(index).padStart(26, '0')}`);
    const list = (ids: readonly string[]) =>
      sendRequest<Page>(app(), 'listTransactions', { key, query: `ids=${ids.join(',')}` });
    const found = await list([mine, ...others]);
    expect(found.body.data.transactions?.map((each) => each.transaction_id)).toEqual([mine]);
    expectProblem(await list([mine, ...others, 'txn_more']), 400, 'INVALID_REQUEST');
  });
});
