import { beforeAll, expect, test } from 'vitest';
import { plainCell } from '../../../../src/http/console/merchant/csv.ts';
import { insertMany, insertPayments, type ListedPayment, PLAIN } from '../../../payments/search/rows.ts';
import { describeConsole } from '../support/describe-console.ts';
import { readCsv } from './payments/read-csv.ts';

const PATH = '/merchant/payments';
const DAY = Date.UTC(2026, 10, 20);

describeConsole('the payments list of the console', {}, (console) => {
  beforeAll(async () => {
    const own = { ...PLAIN, merchantId: console.merchantId };
    await insertPayments(console.db, [
      { ...own, id: 'txn_first', createdAt: DAY - 1, orderId: 'A-1', metadata: { order: '1001', floor: 7 } },
      {
        ...own,
        id: 'txn_second',
        createdAt: DAY,
        completedAt: DAY + 60_500,
        orderId: '=A-2',
        customerEmail: 'Ann@Example.com',
        dueBaseUnits: 150_000_000n,
        paidBaseUnits: 75_000_000n,
        amountFiat: '120.5',
        txids: ['ab'.repeat(32), 'cd'.repeat(32)],
      },
      {
        ...own,
        id: 'txn_third',
        createdAt: DAY + 86_400_000,
        status: 'expired',
        exception: 'paid_late',
        crypto: 'BTC',
      },
      { ...own, id: 'txn_of_test', mode: 'test' },
      {
        ...own,
        id: 'txn_of_neighbour',
        merchantId: console.neighbour.merchantId,
        orderId: 'A-3',
        metadata: { order: '1002' },
      },
    ]);
  }, 60_000);

  const list = (query: string) => console.call('owner', { path: `${PATH}?${query}` });
  const idsOf = async (query: string) => {
    const { data } = await list(query);
    return data.payments.map(({ id }: ListedPayment) => id);
  };

  test('is sorted newest first, with the fields a user needs', async () => {
    const { status, data } = await list('mode=live');
    expect(status).toBe(200);
    expect(data).toMatchObject({ cursor: null, total: { count: 3, isAtLeast: false }, hasAny: true });
    expect(data.payments[1]).toEqual({
      id: 'txn_second',
      status: 'completed',
      exception: null,
      type: 'basic',
      orderId: '=A-2',
      title: null,
      customerEmail: 'Ann@Example.com',
      crypto: 'LTC',
      amountDue: '1.5',
      amountPaid: '0.75',
      amountFiat: '120.5',
      currencyFiat: 'USD',
      loss: null,
      createdAt: DAY,
    });
    expect(await idsOf('mode=live')).toEqual(['txn_third', 'txn_second', 'txn_first']);
    expect(await idsOf('mode=test')).toEqual(['txn_of_test']);
  });

  test.each([
    ['from=2026-11-20&to=2026-11-20', ['txn_second']],
    ['from=2026-11-20', ['txn_third', 'txn_second']],
    ['to=2026-11-19', ['txn_first']],
    ['exception=paid_late', ['txn_third']],
    ['status=completed&crypto=LTC&type=basic', ['txn_second', 'txn_first']],
    ['search=%20A-1%20', ['txn_first']],
    ['search=%3DA', ['txn_second']],
    ['search=ann%40example.com', ['txn_second']],
    [`search=${'CD'.repeat(32)}`, ['txn_second']],
    ['search=txn_th', ['txn_third']],
    ['search=1001', ['txn_first']],
    ['search=7', ['txn_first']],
    ['search=1002', []],
    ['search=A-3', []],
    ['search=txn_of', []],
  ])('%s means %j', async (query, ids) => {
    expect(await idsOf(`mode=live&${query}`)).toEqual(ids);
  });

  test('is returned page by page', async () => {
    const { data: first } = await list('mode=live&limit=2');
    expect(first.payments).toHaveLength(2);
    const { data: second } = await list(`mode=live&limit=2&cursor=${first.cursor}`);
    expect(second).toMatchObject({ payments: [{ id: 'txn_first' }], cursor: null, total: null, hasAny: true });
  });

  test.each([
    ['', 'mode'],
    ['mode=both', 'mode'],
    ['mode=live&status=paid', 'status'],
    ['mode=live&exception=', 'exception'],
    ['mode=live&crypto=btc', 'crypto'],
    ['mode=live&type=other', 'type'],
    ['mode=live&from=yesterday', 'from'],
    ['mode=live&to=2026-02-31', 'to'],
    ['mode=live&from=2026-11-20&to=2026-11-19', 'to'],
    ['mode=live&search=', 'search'],
    [`mode=live&search=${'x'.repeat(321)}`, 'search'],
    ['mode=live&search=%00', 'search'],
    ['mode=live&search=a&search=b', 'search'],
    ['mode=live&limit=0', 'limit'],
    ['mode=live&limit=201', 'limit'],
    ['mode=live&merchantId=mer_other', 'merchantId'],
  ])('an invalid query is rejected by field: %s', async (query, field) => {
    const response = await list(query);
    expect([response.status, response.error]).toEqual([400, 'INVALID_REQUEST']);
    expect(response.message).toContain(field);
    if (/limit/.test(query)) return;
    const file = await console.call('owner', { path: `${PATH}.csv?${query}` });
    expect([file.status, file.message]).toEqual([
      400,
      response.message?.replace(/(fields are .*), cursor, limit/, '$1'),
    ]);
  });

  test('exports the same payments to a file, for bookkeeping', async () => {
    const { status, text } = await console.call('staff', { path: `${PATH}.csv?mode=live&to=2026-11-20` });
    expect(status).toBe(200);
    // fetch strips the byte order mark.
    const [head, ...rows] = readCsv(text).map((cells) => cells.map(plainCell));
    const [second] = rows.map((cells) => Object.fromEntries(cells.map((cell, index) => [head?.[index], cell])));
    expect(rows).toHaveLength(2);
    expect(second).toEqual({
      id: 'txn_second',
      created_at: '2026-11-20T00:00:00.000Z',
      completed_at: '2026-11-20T00:01:00.500Z',
      status: 'completed',
      exception: '',
      type: 'basic',
      order_id: '=A-2',
      customer_email: 'Ann@Example.com',
      crypto: 'LTC',
      network: 'litecoin-mainnet',
      amount_due: '1.5',
      amount_paid: '0.75',
      amount_fiat: '120.5',
      currency_fiat: 'USD',
      exchange_rate: '80',
      fiat_to_usd_rate: '1',
      paid_fiat: '60.25',
      amount_usd: '120.5',
      deposit_address: 'ltc1qexample',
      txids: `${'ab'.repeat(32)} ${'cd'.repeat(32)}`,
      confirmations_required: '3',
      loss: '',
    });
    expect(text).toContain(`,"'=A-2",`);
  });

  test('exports all of them, in any number of batches', async () => {
    const count = 5_432;
    await insertMany(console.db, { merchantId: console.neighbour.merchantId, mode: 'test' }, count);
    const { text } = await console.call('neighbour', { path: `${PATH}.csv?mode=test` });
    const rows = readCsv(text).slice(1);
    expect(new Set(rows.map(([id]) => id)).size).toBe(count);
    const moments = rows.map(([, createdAt]) => createdAt ?? '');
    expect(moments).toEqual(moments.toSorted().reverse());
    const paid = await console.call('neighbour', { path: `${PATH}.csv?mode=test&status=completed` });
    expect(readCsv(paid.text).slice(1)).toEqual(rows.filter(([, , , status]) => status === 'completed'));
  });
});
