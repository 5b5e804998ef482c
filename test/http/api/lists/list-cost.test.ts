import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListRequest } from '../../../../src/payments/index.ts';
import { listStatement } from '../../../../src/payments/search/list-transactions.ts';
import { VIEW_COLUMNS } from '../../../../src/payments/view/merchant-view.ts';
import { withPayments } from '../../../../src/payments/view/read-views.ts';
import { countBlocksRead } from '../../../support/database/slow-plans.ts';
import {
  createPostgresDatabase,
  describePostgres,
  type TestDatabase,
} from '../../../support/database/test-database.ts';
import { insertTransactions } from '../../../support/database/transaction-rows.ts';
import { vacuumAnalyze } from '../../../support/database/vacuum.ts';

/** Upper bound for a page of 20, in 8 KB blocks. One transaction costs some five: index, table. */
const MAX_BLOCKS = 400;
const MANY = 100_000;
/** Rows of one statement, which must end within the connection's statement timeout. */
const AT_ONCE = 10_000;
const SCOPE = { merchantId: 'mer_many', mode: 'live' } as const;
const PAGE = { limit: 20, offset: 0 };

/** A few open payments among many finished ones, as in any shop; none in MKR. */
const NEW_ROWS = (first: number, last: number) => sql`
  (
    select 'txn_' || number, ${SCOPE.merchantId}, ${SCOPE.mode}, 'basic',
    case when number % 10000 = 7 then 'pending' when number % 3 = 0 then 'expired' else 'completed' end,
    case when number % 5000 = 3 then 'paid_late' end,
    (array['LTC', 'BTC', 'ETH', 'USDC'])[1 + number % 4], 'litecoin-mainnet', 'ltc1' || number, 1, 0, '1', '1', '1', 'USD',
    '1', '1', '[]', 3, case when number % 100 = 0 then 'order-' || number end,
    '2026-01-01'::timestamptz + number * interval '1 second', now(), now()
  from generate_series(${first}::int8, ${last}::int8) as series (number)
  )
  as given (id, merchant_id, mode, type, status, exception, crypto, network, deposit_address, due_base_units,
    paid_base_units, amount_crypto, amount_fiat, amount_usd, currency_fiat, fiat_to_usd_rate, exchange_rate,
    rate_sources, confirmations_required, order_id, created_at, updated_at, expires_at)`;

describePostgres('a list of a hundred thousand transactions', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createPostgresDatabase();
    for (let last = AT_ONCE; last <= MANY; last += AT_ONCE) {
      await insertTransactions(database.db, NEW_ROWS(last - AT_ONCE + 1, last));
    }
    await vacuumAnalyze(database.db, 'transaction_terms', 'transaction_status', 'transaction_count');
  });
  afterAll(() => database?.drop());

  const noon = Date.parse('2026-01-01T12:00:00Z');
  const filters: [string, Omit<ListRequest, 'limit' | 'offset'>][] = [
    ['nothing', {}],
    ['a common status', { status: 'completed' }],
    ['a rare status', { status: 'pending' }],
    ['a status without payments', { status: 'failed' }],
    ['a coin', { crypto: 'ETH' }],
    ['a coin without payments', { crypto: 'MKR' }],
    ['status and coin', { status: 'completed', crypto: 'USDC' }],
    ['a status and a coin that never meet', { status: 'pending', crypto: 'MKR' }],
    ['an exception', { exception: 'paid_late' }],
    ['exception and coin', { exception: 'paid_late', crypto: 'USDC' }],
    ['an exception and a status that exclude each other', { exception: 'paid_late', status: 'failed' }],
    ['an order', { orderId: 'order-500' }],
    ['order, status and coin', { orderId: 'order-500', status: 'completed', crypto: 'LTC' }],
    ['ids', { ids: Array.from({ length: 20 }, (_, index) => `txn_${index * 500}`) }],
    ['ids and a status', { ids: ['txn_7', 'txn_8'], status: 'pending' }],
    ['an order and a status', { orderId: 'order-500', status: 'completed' }],
    ['ten minutes', { createdFrom: noon, createdTo: noon + 600_000 }],
    ['ten minutes and a status', { createdFrom: noon, createdTo: noon + 600_000, status: 'completed' }],
    ['ten minutes and a coin', { createdFrom: noon, createdTo: noon + 600_000, crypto: 'ETH' }],
    [
      'ten minutes, status and coin',
      { createdFrom: noon, createdTo: noon + 600_000, status: 'completed', crypto: 'LTC' },
    ],
  ];

  test.each(filters)('by %s reads few blocks', async (_, filter) => {
    expect(await blocksOf({ ...PAGE, ...filter })).toBeLessThan(MAX_BLOCKS);
  });

  test('beyond its end reads few blocks', async () => {
    expect(await blocksOf({ limit: 100, offset: 1e12 })).toBeLessThan(MAX_BLOCKS);
    expect(await blocksOf({ limit: 100, offset: 1e6, status: 'completed' })).toBeLessThan(MAX_BLOCKS);
  });

  test('reads its total and its page from one snapshot', async () => {
    const { rows } = await listStatement(SCOPE, { ...PAGE, status: 'pending' }, VIEW_COLUMNS).execute(database.db);
    expect(rows).toHaveLength(MANY / 10_000);
    expect(rows[0]?.total).toBe(MANY / 10_000);
    const newest = await listStatement(SCOPE, PAGE, VIEW_COLUMNS).execute(database.db);
    expect(newest.rows.map((row) => row.id)).toEqual(Array.from({ length: 20 }, (_, index) => `txn_${MANY - index}`));
    expect(newest.rows[0]?.total).toBe(MANY);
  });

  test('is stable for a caller that fixes its time, while others are created', async () => {
    const createdTo = Date.parse('2026-01-01T00:01:00Z');
    const seen: (string | null)[] = [];
    for (let offset = 0; offset < 59; offset += 10) {
      const request = { limit: 10, offset, createdTo };
      const { rows } = await listStatement(SCOPE, request, VIEW_COLUMNS).execute(database.db);
      seen.push(...rows.map((row) => row.id));
      const copies = sql.raw(`txn_new_${offset}`);
      const copy = sql`
        select (jsonb_populate_record(transaction, jsonb_build_object('id', '${copies}'))).*
        from transaction where id = 'txn_500'`;
      await insertTransactions(database.db, sql`(${copy}) as given`);
    }
    expect(seen).toEqual(Array.from({ length: 59 }, (_, index) => `txn_${59 - index}`));
  });

  const blocksOf = (request: ListRequest) =>
    countBlocksRead(database.db, withPayments(listStatement(SCOPE, request, VIEW_COLUMNS)));
});
