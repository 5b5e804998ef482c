import { type CompiledQuery, Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportPayments, type PaymentSearch, type Scope, searchPayments } from '../../../src/payments/index.ts';
import { MAX_TITLES } from '../../../src/payments/search/match-titles.ts';
import type { Database } from '../../../src/platform/db/index.ts';
import { openRecorded } from '../../support/database/recorded-connection.ts';
import { nodesOf, type PlanNode } from '../../support/database/slow-plans.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { vacuumAnalyze } from '../../support/database/vacuum.ts';
import { insertMany, insertTitles, PLAIN, SHOP, type Titled } from './rows.ts';

/**
 * Upper bound for a page of 20, in blocks of 8 KB. One payment costs about five: index and table.
 */
const MAX_BLOCKS = 700;
/** A text search reads at most 2,000. */
const MAX_BLOCKS_OF_FOUND = 2_500;
/** So many titles of links and of recurring requests are read, with their index. */
const MAX_BLOCKS_OF_TITLES = 2 * MAX_TITLES + 200;
/** If all match, metadata values are looked up for each, and terms for 2,000 payments. */
const MAX_BLOCKS_OF_COMMON_TITLES = 2 * MAX_TITLES * 4 + 2_000 * 5;
/** Each match is then read by its id. */
const MAX_BLOCKS_OF_MANY = 10_000;
/** Counting stops at 10,000. */
const MAX_BLOCKS_OF_COUNT = 11_000;
const MANY = 50_000;
const OTHER: Scope = { merchantId: 'mer_other', mode: 'live' };

// At the quick level, test/platform/db/indexes.test.ts and test/http/api/lists/list-cost.test.ts
// cover reading by index.
describePostgres('a search among many payments', () => {
  let database: TestDatabase;
  let recording: Recording;

  beforeAll(async () => {
    database = await createPostgresDatabase();
    await insertMany(database.db, SHOP, MANY);
    // Nothing of another shop is read, however much it has.
    await insertMany(database.db, OTHER, 10_000);
    await insertTitles(database.db, [...manyTitles(SHOP, MAX_TITLES + 1_000), ...manyTitles(OTHER, 20_000)]);
    for (const table of [
      'transaction_terms',
      'transaction_status',
      'transaction_count',
      'transaction_metadata',
      'payment',
      'payment_link',
      'schedule',
    ]) {
      await vacuumAnalyze(database.db, table);
    }
    recording = record(database);
  }, 120_000);
  afterAll(async () => {
    await recording?.db.destroy();
    await database?.drop();
  });

  const lastDay = { createdFrom: PLAIN.createdAt - 86_400_000, createdTo: PLAIN.createdAt };
  const searches: [string, PaymentSearch][] = [
    ['nothing', {}],
    ['a common status', { status: 'completed' }],
    ['a rare status', { status: 'pending' }],
    ['a status without payments', { status: 'failed' }],
    ['a coin', { crypto: 'ETH' }],
    ['a coin without payments', { crypto: 'MKR' }],
    ['an exception', { exception: 'paid_late' }],
    ['the common type', { type: 'basic' }],
    ['a rarer type', { type: 'detailed' }],
    ['a type without payments', { type: 'billing' }],
    ['type, status and coin that hardly meet', { type: 'detailed', status: 'pending', crypto: 'BTC' }],
    ['a day', lastDay],
    ['a day, status and coin', { ...lastDay, status: 'completed', crypto: 'LTC' }],
    ['a whole id', { text: 'txn_0123456789abcdef0123456789' }],
    ['the beginning of an id', { text: 'txn_0123' }],
    ['a whole order id', { text: 'order-777' }],
    ['the beginning of an order id', { text: 'order-7771' }],
    ['a customer', { text: 'customer7@example.com' }],
    ['an address', { text: 'LTC1QAB' }],
    ['a txid', { text: 'ab'.repeat(32) }],
    ['a metadata value', { text: '777' }],
    ['a metadata value that all have', { text: 'web' }],
    ['a part of a title', { text: 'BEANS 100' }],
    ['a title without payments', { text: 'beans 1002' }],
    ['an id as lists show it', { text: 'txn_012345…abcdef' }],
    ['a text without matches', { text: 'nothing of the kind' }],
    ['what all have', { text: 'txn_' }],
    ['what half have', { text: 'order-', status: 'completed' }],
  ];

  test.each(searches)('for %s reads few blocks', async (_, search) => {
    const queries = await recording.of(async (db) => {
      const first = await searchPayments({ db }, SHOP, { search, cursor: null, limit: 20 });
      if (first.cursor !== null) await searchPayments({ db }, SHOP, { search, cursor: first.cursor, limit: 20 });
      const batches = exportPayments({ db }, SHOP, { search, maxRows: 20 });
      for await (const { payments } of batches) expect(payments.length).toBeLessThanOrEqual(20);
    });
    expect(queries.length).toBeGreaterThan(2);
    for (const query of queries) {
      const { blocks, scans } = await costOf(recording.db, query);
      expect(blocks, query.sql).toBeLessThan(limitOf(query));
      expect(scans, query.sql).toEqual([]);
    }
  });

  test('for a title that a quarter have reads no more than so many titles and payments', async () => {
    const search = { text: 'coffee' };
    const queries = await recording.of((db) => searchPayments({ db }, SHOP, { search, cursor: null, limit: 20 }));
    for (const query of queries) {
      const { blocks, scans } = await costOf(recording.db, query);
      expect(blocks, query.sql).toBeLessThan(MAX_BLOCKS_OF_COMMON_TITLES);
      expect(scans, query.sql).toEqual([]);
    }
  });

  test('reads each payment that matches a text, when they are few enough', async () => {
    // Hundreds of orders of any age begin with it.
    const search = { text: 'order-12', crypto: 'LTC' } as const;
    const queries = await recording.of((db) => searchPayments({ db }, SHOP, { search, cursor: null, limit: 20 }));
    for (const query of queries) {
      const { blocks, scans } = await costOf(recording.db, query);
      expect(blocks, query.sql).toBeLessThan(MAX_BLOCKS_OF_MANY);
      expect(scans, query.sql).toEqual([]);
    }
  });
});

// Helpers

/** Only some of the links have payments, and none of the recurring requests. */
function manyTitles(scope: Scope, count: number): Titled[] {
  return Array.from({ length: count }, (_, index) => index).flatMap((index) => [
    { ...scope, key: 'payment_link', name: `link-${index}`, title: `Coffee beans ${index}` },
    { ...scope, key: 'schedule_id', name: `${scope.merchantId}-${index}`, title: `Membership ${index}` },
  ]);
}

function limitOf({ sql: text }: CompiledQuery): number {
  if (/select count/.test(text)) return MAX_BLOCKS_OF_COUNT;
  const ofTitles = /from payment_link/.test(text) ? MAX_BLOCKS_OF_TITLES : 0;
  return ofTitles + (/union all/.test(text) ? MAX_BLOCKS_OF_FOUND : MAX_BLOCKS);
}

interface Recording {
  readonly db: Kysely<Database>;
  /** The statements executed during `work`. */
  of(work: (db: Kysely<Database>) => Promise<unknown>): Promise<readonly CompiledQuery[]>;
}

function record(database: TestDatabase): Recording {
  const queries: CompiledQuery[] = [];
  const db = openRecorded(database, (query) => void queries.push(query));
  return {
    db,
    async of(work) {
      queries.length = 0;
      await work(db);
      return [...queries];
    },
  };
}

/** Blocks read, and the tables read with a full scan. */
async function costOf(db: Kysely<Database>, query: CompiledQuery) {
  const explained = { ...query, sql: `explain (analyze, buffers, format json) ${query.sql}` };
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(explained);
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (plan === undefined) throw new Error('there is no plan');
  const scans = nodesOf(plan).filter((node) => node['Node Type'].endsWith('Seq Scan'));
  return {
    blocks: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
    // The stored counts are a few rows in one block.
    scans: scans.map((node) => node['Relation Name']).filter((name) => name !== 'transaction_count'),
  };
}
