import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  DAY_MS,
  formatCoins,
  parseCoins,
  TRANSACTION_EXCEPTIONS,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
} from '../../../machines/index.ts';
import { exportPayments, type PaymentSearch, searchPayments } from '../../../src/payments/index.ts';
import { MAX_FOUND, meansText } from '../../../src/payments/search/find-by-text.ts';
import { readRows } from '../../../src/payments/search/read-rows.ts';
import { MAX_COUNTED } from '../../../src/payments/search/search-payments.ts';
import type { Database } from '../../../src/platform/db/index.ts';
import { newId } from '../../../src/platform/ids.ts';
import { shortIdText } from '../../../src/web/ui/values/short-id-text.ts';
import {
  createPostgresDatabase,
  describeBothDatabases,
  describeDatabases,
  describePostgres,
  type TestDatabase,
} from '../../support/database/test-database.ts';
import { changeTransactions } from '../../support/database/transaction-rows.ts';
import { assertAsyncProperty, textOfAnyCharacters } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import {
  FEW_COINS,
  insertMany,
  insertPayments,
  insertTitles,
  type ListedPayment,
  PLAIN,
  removePayments,
  SHOP,
  type Titled,
} from './rows.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
/** Few texts and many upper and lower case letters, so that searches find rows. */
const shortText = fc.string({
  unit: fc.constantFrom('a', 'A', 'b', '-', '%', '_', 'é', '1'),
  minLength: 1,
  maxLength: 3,
});
const email = shortText.map((name) => `${name}@Example.com`);
const txid = fc.constantFrom('ab', 'cd', 'ef').map((pair) => pair.repeat(32));

/** Values of any key are searched, but for those inside lists and objects. */
const metadataValue = fc.oneof(
  shortText,
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(1.5, 1e21, true, null, '1.5'),
  fc.array(shortText, { maxLength: 1 }),
  fc.dictionary(shortText, shortText, { maxKeys: 1 }),
);
const names = fc.record(
  { payment_link: fc.constantFrom('l1', 'l2'), schedule_id: fc.constantFrom('s1', 's2') },
  { requiredKeys: [] },
);
const metadata = fc
  .tuple(fc.dictionary(shortText, metadataValue, { maxKeys: 3 }), names)
  .map(([values, given]) => ({ ...values, ...given }));

/** Those of other shops and modes have the same names. */
const scope = fc.constantFrom(
  SHOP,
  SHOP,
  SHOP,
  { ...SHOP, mode: 'test' as const },
  { ...SHOP, merchantId: 'mer_other' },
);
const titled: fc.Arbitrary<Titled> = fc
  .tuple(
    scope,
    fc.constantFrom('l1', 'l2', 's1', 's2'),
    fc.array(shortText, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
  )
  .map(([own, name, title]) => ({ ...own, key: name.startsWith('l') ? 'payment_link' : 'schedule_id', name, title }));
const titles = fc.uniqueArray(titled, {
  // Slugs are unique per shop and mode, ids of schedules over all.
  selector: ({ key, merchantId, mode, name }) => (key === 'payment_link' ? `${merchantId} ${mode} ${name}` : name),
  maxLength: 8,
});

const FIRST = ['txn_aaaaaa', 'txn_aaaaab'] as const;
const LAST = ['aaaaaa', 'b1b1b1'] as const;
const id = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '1'), minLength: 4, maxLength: 6 }).map((body) => `txn_${body}`),
  // Long enough to be shortened in lists.
  fc
    .tuple(fc.constantFrom(...FIRST), fc.stringMatching(/^[ab]{10}$/), fc.constantFrom(...LAST))
    .map((parts) => parts.join('')),
);
/** The last one has too little of the beginning. */
const shortened = fc
  .tuple(
    fc.constantFrom(...FIRST, `${FIRST[0]}a`, 'txn_aaaaa'),
    fc.constantFrom('…', '...'),
    fc.constantFrom(...LAST, '1'),
  )
  .map((parts) => parts.join(''));

const payment: fc.Arbitrary<ListedPayment> = fc.record({
  id,
  merchantId: fc.constantFrom('mer_shop', 'mer_shop', 'mer_shop', 'mer_other'),
  mode: fc.constantFrom('live', 'live', 'live', 'test'),
  type: fc.constantFrom(...TRANSACTION_TYPES),
  status: fc.constantFrom(...TRANSACTION_STATUSES),
  exception: fc.option(fc.constantFrom(...TRANSACTION_EXCEPTIONS)),
  crypto: fc.constantFrom(...FEW_COINS),
  depositAddress: fc.constantFrom('ltc1qa', '0xAbC', '0xdef'),
  dueBaseUnits: fc.bigInt(1n, 10n ** 20n),
  paidBaseUnits: fc.bigInt(0n, 10n ** 20n),
  amountFiat: fc.constant('40'),
  orderId: fc.option(shortText),
  customerEmail: fc.option(email),
  metadata: fc.option(metadata),
  // Few times, so that ids decide between equal ones.
  createdAt: fc.integer({ min: -5, max: 5 }).map((step) => NOON + (step * DAY_MS) / 2),
  completedAt: fc.constant(null),
  txids: fc.uniqueArray(txid, { maxLength: 2 }),
});
const payments = fc.uniqueArray(payment, { selector: ({ id }) => id, maxLength: 40 });

const search: fc.Arbitrary<PaymentSearch> = fc.record(
  {
    status: fc.constantFrom(...TRANSACTION_STATUSES),
    exception: fc.constantFrom(...TRANSACTION_EXCEPTIONS),
    crypto: fc.constantFrom(...FEW_COINS),
    type: fc.constantFrom(...TRANSACTION_TYPES),
    createdFrom: fc.integer({ min: -6, max: 6 }).map((step) => NOON + (step * DAY_MS) / 2),
    createdTo: fc.integer({ min: -6, max: 6 }).map((step) => NOON + (step * DAY_MS) / 2),
    text: fc.oneof(
      shortText,
      fc.constantFrom('-1', '1', '1.5', '1e+21', '1000000000000000000000', 'true', 'null'),
      email.map((text) => text.toUpperCase()),
      fc.constantFrom('txn_', 'txn_a', 'txn_1b', 'LTC1QA', '0xabc', '0xDEF', 'order', 'l1', 's2', 'a A'),
      shortened,
      txid.map((text) => text.toUpperCase()),
    ),
  },
  { requiredKeys: [] },
);

describeBothDatabases('payment search', (database) => {
  test('finds the same as a scan of every payment, page by page, newest first', async () => {
    const { db } = database();
    await assertAsyncProperty(
      fc.asyncProperty(
        payments,
        titles,
        fc.array(search, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 7 }),
        async (all, titlesOfAll, searches, limit) => {
          await removePayments(db);
          await insertPayments(db, all);
          await insertTitles(db, titlesOfAll);
          const own = all.filter((each) => each.merchantId === SHOP.merchantId && each.mode === SHOP.mode);
          for (const each of searches) {
            const expected = own.filter((one) => isMeant(one, titlesOfAll, each)).sort(newestFirst);
            const found = await pagesOf(db, each, limit);
            expect(found.ids).toEqual(expected.map(({ id }) => id));
            expect(found.total).toEqual({ count: expected.length, isAtLeast: false });
            expect(found.hasAny).toBe(own.length > 0);
            expect(await exported(db, each)).toEqual(found.ids);
          }
        },
      ),
      { numRuns: level.runs(15) },
    );
  });
});

describeDatabases('a search text', (database) => {
  test('is interpreted equally by index lookup and by row', async () => {
    const { db } = database();
    await assertAsyncProperty(
      fc.asyncProperty(payments, titles, fc.array(search, { maxLength: 8 }), async (all, titlesOfAll, searches) => {
        await removePayments(db);
        await insertPayments(db, all);
        await insertTitles(db, titlesOfAll);
        for (const { text, ...others } of searches) {
          if (text === undefined) continue;
          const conditions = { ...others, rest: meansText(SHOP, text) };
          const { rows } = await readRows(db, { scope: SHOP, conditions, columns: sql`status`, limit: 100 });
          expect(rows.map(({ id }) => id)).toEqual((await pagesOf(db, { text, ...others }, 100)).ids);
        }
      }),
      { numRuns: level.runs(25) },
    );
  });
});

describeDatabases('an id as lists show it', (database) => {
  test('finds its payment', async () => {
    const { db } = database();
    await removePayments(db);
    const ids = Array.from({ length: 20 }, () => newId('txn'));
    await insertPayments(
      db,
      ids.map((each) => ({ ...PLAIN, id: each })),
    );
    for (const each of ids) {
      const { payments: found } = await pageOf(db, { text: shortIdText(each) });
      expect(found.map((one) => one.id)).toEqual([each]);
    }
  });
});

describePostgres('a long list of payments', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresDatabase();
  });
  afterAll(() => database?.drop());

  test('is walked for a text with more matches than are looked up', async () => {
    const { db } = database;
    await removePayments(db);
    const links = { metadata: { payment_link: 'beans' } };
    const many = Array.from({ length: MAX_FOUND + 500 }, (_, index): ListedPayment => {
      const number = String(index).padStart(4, '0');
      return {
        ...PLAIN,
        ...links,
        id: `txn_${number}`,
        orderId: `order-${number}`,
        createdAt: NOON - index,
        txids: [],
      };
    });
    await insertPayments(db, many);
    await insertTitles(db, [{ ...SHOP, key: 'payment_link', name: 'beans', title: 'Coffee beans' }]);
    for (const text of ['order-', 'coffee']) {
      const found = await pagesOf(db, { text }, 200);
      expect(found.ids).toEqual(many.map((each) => each.id));
      expect(found.total).toBeNull();
      expect(await exported(db, { text, createdTo: NOON - 2_400 })).toHaveLength(99);
    }
  });

  test('has a total that is not stored up to the counting limit', async () => {
    const { db } = database;
    await removePayments(db);
    await insertMany(db, SHOP, MAX_COUNTED + 5);
    expect((await pageOf(db, {})).total).toEqual({ count: MAX_COUNTED + 5, isAtLeast: false });
    expect((await pageOf(db, { createdTo: PLAIN.createdAt })).total).toEqual({ count: MAX_COUNTED, isAtLeast: true });
  });

  test('rejects a cursor that no page returned', async () => {
    const { db } = database;
    const bad = fc.oneof(
      fc.string(),
      fc.json().map((json) => Buffer.from(json).toString('base64url')),
      fc
        .tuple(fc.oneof(fc.string(), fc.bigInt(-(10n ** 19n), 10n ** 19n).map(String)), textOfAnyCharacters())
        .map((key) => Buffer.from(JSON.stringify(key)).toString('base64url')),
    );
    await assertAsyncProperty(
      fc.asyncProperty(bad, async (cursor) => {
        await searchPayments({ db }, SHOP, { search: {}, cursor, limit: 1 }).catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'INVALID_CURSOR', field: 'cursor' });
        });
      }),
    );
  });

  test('the exported part of the list stays consistent while payments are created', async () => {
    const { db } = database;
    await removePayments(db);
    const old = Array.from({ length: 1_200 }, (_, index) => ({
      ...PLAIN,
      id: `txn_${index}`,
      createdAt: NOON - index,
    }));
    await insertPayments(db, old);
    const ids: string[] = [];
    let added = 0;
    for await (const { payments: batch, isCut } of exportPayments({ db }, SHOP, { search: {} })) {
      ids.push(...batch.map(({ id }) => id));
      added += 1;
      await insertPayments(db, [{ ...PLAIN, id: `txn_new_${added}`, createdAt: NOON + added }]);
      expect(isCut).toBe(false);
    }
    expect(added).toBe(3);
    expect(ids).toEqual(old.map(({ id }) => id));

    const cut: boolean[] = [];
    let rows = 0;
    for await (const batch of exportPayments({ db }, SHOP, { search: {}, maxRows: 700 })) {
      cut.push(batch.isCut);
      rows += batch.payments.length;
    }
    expect([rows, cut]).toEqual([700, [false, true]]);
  });

  test('finds a payment by a transaction that it does not count', async () => {
    const { db } = database;
    await removePayments(db);
    const [counted, other] = ['11'.repeat(32), '22'.repeat(32)];
    await insertPayments(db, [
      { ...PLAIN, id: 'txn_asked', txids: [counted] },
      { ...PLAIN, id: 'txn_other' },
    ]);
    const coins = {
      network: 'ethereum-mainnet',
      asset: 'DAI',
      status: 'block',
      amount_base_units: '1',
      chain_order: 1,
    };
    const seen = { reason: 'other_asset', address: '0xab', first_seen_at: new Date(NOON) } as const;
    await db
      .insertInto('unassigned_payment')
      .values([
        { ...coins, ...seen, output_id: 'a', txid: other, transaction_id: 'txn_asked' },
        { ...coins, ...seen, output_id: 'b', txid: other, transaction_id: null },
      ])
      .execute();
    for (const text of [counted, other, other.toUpperCase()])
      expect((await pagesOf(db, { text }, 10)).ids).toEqual(['txn_asked']);
    await removePayments(db);
  });

  test('an export names no transaction that was replaced, also while a node still lists it', async () => {
    const { db } = database;
    await insertPayments(db, [{ ...PLAIN, id: 'txn_bumped', txids: ['aa', 'bb', 'cc'] }]);
    const replaced = { status: 'replaced', presence: 'mempool' } as const;
    await db.updateTable('payment').set(replaced).where('txid', '=', 'aa').execute();
    await db
      .updateTable('payment')
      .set({ ...replaced, presence: 'gone' })
      .where('txid', '=', 'bb')
      .execute();
    const txids: string[] = [];
    for await (const { payments: batch } of exportPayments({ db }, SHOP, { search: {} })) {
      txids.push(...batch.flatMap((each) => each.txids));
    }
    expect(txids).toEqual(['cc']);
  });

  test('an export names the payments whose coins are unconfirmed again, or gone, and whether that is settled', async () => {
    const { db } = database;
    await removePayments(db);
    const losses = [null, 'unconfirmed', 'gone', 'gone_settled'] as const;
    await insertPayments(
      db,
      losses.map((loss, index) => ({ ...PLAIN, id: `txn_${loss}`, createdAt: NOON - index })),
    );
    await changeTransactions(db, { loss: 'unconfirmed' }, { id: 'txn_unconfirmed' });
    for (const id of ['txn_gone', 'txn_gone_settled']) await changeTransactions(db, { loss: 'gone' }, { id });
    const item = { kind: 'coins_lost', merchant_id: SHOP.merchantId, mode: SHOP.mode, base_units: '1' } as const;
    const times = { output_ids: '[]', raised_at: new Date(), settled_at: new Date() };
    const settled = { transaction_id: 'txn_gone_settled', ...item, ...times };
    await db.insertInto('attention_item').values(settled).execute();
    for await (const { payments: batch } of exportPayments({ db }, SHOP, { search: {} })) {
      expect(batch.map(({ loss }) => loss)).toEqual(losses);
    }
    await db.deleteFrom('attention_item').where('transaction_id', '=', 'txn_gone_settled').execute();
  });

  test('an export states the paid amount in the fiat currency at the locked rate, to the cent, rounded half up', async () => {
    const { db } = database;
    const cents = fc.bigInt(1n, 10n ** 9n);
    const amounts = fc.record({ due: fc.bigInt(1n, 10n ** 24n), paid: fc.bigInt(0n, 10n ** 24n), cents });
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(amounts, { minLength: 1, maxLength: 60 }), async (all) => {
        await removePayments(db);
        await insertPayments(
          db,
          all.map(({ due, paid, cents: requested }, index) => ({
            ...PLAIN,
            id: `txn_${index}`,
            createdAt: NOON - index,
            dueBaseUnits: due,
            paidBaseUnits: paid,
            amountFiat: formatCoins(requested, 2),
          })),
        );
        for await (const { payments: batch } of exportPayments({ db }, SHOP, { search: {} })) {
          expect(batch).toHaveLength(all.length);
          for (const [index, { paidFiat, amountPaid }] of batch.entries()) {
            const { due, paid, cents: requested } = all[index] ?? { due: 1n, paid: 0n, cents: 0n };
            const value = parseCoins(paidFiat, 2);
            expect(paidFiat).toMatch(/^\d+\.\d\d$/);
            expect(amountPaid).toBe(formatCoins(paid, 8));
            // The nearest cent of paid ÷ due × asked: half a cent below matches, half a cent above
            // does not.
            const twiceTooMuch = 2n * (value * due - paid * requested);
            expect(twiceTooMuch > -due && twiceTooMuch <= due).toBe(true);
            if (paid === due) expect(value).toBe(requested);
          }
        }
      }),
      { numRuns: level.runs(25) },
    );
  });
});

// Helpers

/** The definition of the search, for one payment. */
function isMeant(
  one: ListedPayment,
  all: readonly Titled[],
  { status, exception, crypto, type, createdFrom, createdTo, text }: PaymentSearch,
) {
  const lower = text?.toLowerCase();
  return (
    (status === undefined || one.status === status) &&
    (exception === undefined || one.exception === exception) &&
    (crypto === undefined || one.crypto === crypto) &&
    (type === undefined || one.type === type) &&
    (createdFrom === undefined || one.createdAt >= createdFrom) &&
    (createdTo === undefined || one.createdAt < createdTo) &&
    (text === undefined ||
      one.id.startsWith(text) ||
      isShortenedTo(one.id, text) ||
      titlesOf(one, all).some((title) => title.toLowerCase().includes(text.toLowerCase())) ||
      one.orderId?.startsWith(text) === true ||
      one.customerEmail?.toLowerCase() === lower ||
      one.depositAddress.toLowerCase() === lower ||
      one.txids.some((each) => each === lower) ||
      Object.values(one.metadata ?? {}).some((value) => isText(value, text)))
  );
}

function isShortenedTo(whole: string, text: string): boolean {
  const [start = '', end = ''] = text.replace('...', '…').split('…');
  return start.length >= 10 && end !== '' && whole.startsWith(start) && whole.endsWith(end);
}

function titlesOf({ merchantId, mode, metadata: given }: ListedPayment, all: readonly Titled[]): string[] {
  return all
    .filter((each) => each.merchantId === merchantId && each.mode === mode && given?.[each.key] === each.name)
    .map(({ title }) => title);
}

/** The database writes numbers without an exponent. */
function isText(value: unknown, text: string): boolean {
  if (typeof value !== 'number') return value === text;
  return text === (value === 1e21 ? '1000000000000000000000' : String(value));
}

function newestFirst(a: ListedPayment, b: ListedPayment): number {
  return b.createdAt - a.createdAt || Buffer.compare(Buffer.from(b.id), Buffer.from(a.id));
}

function pageOf(db: Kysely<Database>, search: PaymentSearch) {
  return searchPayments({ db }, SHOP, { search: search, cursor: null, limit: 10 });
}

async function pagesOf(db: Kysely<Database>, search: PaymentSearch, limit: number) {
  const first = await searchPayments({ db }, SHOP, { search: search, cursor: null, limit });
  const ids = first.payments.map(({ id }) => id);
  let { cursor } = first;
  while (cursor !== null) {
    const page = await searchPayments({ db }, SHOP, { search: search, cursor, limit });
    expect(page.payments.length).toBeGreaterThan(0);
    expect(page.total).toBeNull();
    ids.push(...page.payments.map(({ id }) => id));
    cursor = page.cursor;
  }
  return { ids, total: first.total, hasAny: first.hasAny };
}

async function exported(db: Kysely<Database>, search: PaymentSearch): Promise<string[]> {
  const ids: string[] = [];
  for await (const { payments: batch } of exportPayments({ db }, SHOP, { search: search })) {
    ids.push(...batch.map(({ id }) => id));
  }
  return ids;
}
