import { randomBytes, randomUUID } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { sql, type Transaction } from 'kysely';
import { expect, it } from 'vitest';
import type { CryptoSymbol } from '../../machines/index.ts';
import { attachWallet, upsertMerchant } from '../../src/merchants/index.ts';
import type { Database } from '../../src/platform/db/index.ts';
import { advanceIndex, unusedRuns } from '../../src/wallets/index.ts';
import {
  createPostgresDatabase,
  describeDatabases,
  describePostgres,
  type TestDatabase,
} from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

type Db = TestDatabase['db'];

/**
 * What happened at one index: nothing yet, skipped, found used and skipped, or allocated, with what
 * was received.
 */
const fate = fc.constantFrom(
  'free',
  'skipped',
  'allocated',
  'paid',
  'paid and lost',
  'unassigned',
  'unassigned and lost',
  'skipped with unassigned',
  'found used',
);
type Fate =
  | 'free'
  | 'skipped'
  | 'allocated'
  | 'paid'
  | 'paid and lost'
  | 'unassigned'
  | 'unassigned and lost'
  | 'skipped with unassigned'
  | 'found used';

describeDatabases('unused runs', (database) => {
  const db = () => database().db;

  it('equal a plain evaluation of the state at every index', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(fate, { maxLength: 40 }), async (fates) => {
        const { name, key } = await newMerchant(db(), ['LTC']);
        await enact(db(), key, fates);
        const allocated = indicesOf(fates, ['allocated', 'paid', 'paid and lost', 'unassigned', 'unassigned and lost']);
        const paid = indicesOf(fates, ['paid', 'unassigned', 'skipped with unassigned']);
        const lastPaidIndex = paid.at(-1) ?? null;
        const skipped = indicesOf(fates, ['skipped']);
        const unused = [...allocated, ...skipped].filter((index) => index > (lastPaidIndex ?? -1)).length;
        const run = Math.max(unused, longestRow(skipped));
        expect(await unusedRuns(db(), { merchantName: name })).toEqual([
          {
            merchantName: name,
            network: 'litecoin-mainnet',
            derivationKeyId: key,
            cryptos: ['LTC'],
            allocated: allocated.length,
            highestIndex: allocated.at(-1) ?? null,
            lastPaidIndex,
            run,
            warning: run >= 15 ? expect.stringContaining(`for ${run} addresses in a row`) : null,
          },
        ]);
      }),
      { numRuns: level.runs(database().kind === 'postgres' ? 60 : 25) },
    );
  });

  it('warn from fifteen on, before a wallet hides a payment, with the gap limit to set', async () => {
    const { name, key } = await newMerchant(db(), ['LTC']);
    await enact(
      db(),
      key,
      Array.from({ length: 14 }, () => 'allocated' as const),
    );
    expect((await unusedRuns(db(), { merchantName: name }))[0]?.warning).toBeNull();
    const warning = async () => (await unusedRuns(db(), { merchantName: name }))[0]?.warning;
    const text = (run: number, effect: string) =>
      `No payment is known for ${run} addresses in a row, issued or skipped, and most wallets scan only 20 addresses ` +
      `beyond the last used one (BIP44 gap limit): ${effect}. Make sure that the gap limit or scan range of the ` +
      'wallet is 200 or more, and rescan. The coins are yours in any case.';
    await enact(db(), key, ['allocated'], 14);
    expect(await warning()).toBe(text(15, 'soon they will not show a new payment'));
    const rest = Array.from({ length: 5 }, () => 'allocated' as const);
    await enact(db(), key, rest, 15);
    expect(await warning()).toBe(text(20, 'they will not show the next payment'));
  });

  it('count addresses skipped after a restore, also after a later payment completes', async () => {
    const { name, key } = await newMerchant(db(), ['LTC']);
    await enact(
      db(),
      key,
      Array.from({ length: 41 }, () => 'paid' as const),
    );
    await sql`update derivation_key set next_index = 41 where id = ${key}`.execute(db());
    await db()
      .transaction()
      .execute((trx) => advanceIndex(trx, key, 100));
    const hidden = { run: 100, warning: expect.stringContaining('is 200 or more') };
    expect(await unusedRuns(db(), { merchantName: name })).toMatchObject([{ ...hidden, lastPaidIndex: 40 }]);
    await enact(db(), key, ['paid'], 141);
    expect(await unusedRuns(db(), { merchantName: name })).toMatchObject([{ ...hidden, lastPaidIndex: 141 }]);
  });

  it('leave out addresses that were skipped because the chain has an earlier history of them', async () => {
    const { name, key } = await newMerchant(db(), ['LTC']);
    await enact(db(), key, [...Array.from({ length: 30 }, () => 'found used' as const), 'allocated']);
    expect(await unusedRuns(db(), { merchantName: name })).toMatchObject([{ run: 1, warning: null }]);
  });

  it('count a wallet for several coins once, and belong to every merchant who shares it', async () => {
    const account = newAccount();
    const [one, two] = [await newMerchant(db(), ['USDC', 'ETH'], account), await newMerchant(db(), ['ETH'], account)];
    await enact(db(), one.key, ['paid', 'allocated', 'allocated']);
    const all = await unusedRuns(db());
    const runsOf = (name: string) => all.filter((each) => each.merchantName === name);
    expect(runsOf(one.name)).toMatchObject([{ cryptos: ['ETH', 'USDC'], allocated: 3, lastPaidIndex: 0, run: 2 }]);
    expect(runsOf(two.name)).toMatchObject([{ cryptos: ['ETH'], allocated: 3, lastPaidIndex: 0, run: 2 }]);
  });

  it('are found by the id of a merchant and by the name', async () => {
    const account = newAccount();
    const [one] = [await newMerchant(db(), ['LTC'], account), await newMerchant(db(), ['LTC'], account)];
    const { id: merchantId } = await db()
      .selectFrom('merchant')
      .select('id')
      .where('name', '=', one.name)
      .executeTakeFirstOrThrow();
    const found = await unusedRuns(db(), { merchantId });
    expect(found).toHaveLength(1);
    expect(found).toEqual(await unusedRuns(db(), { merchantName: one.name }));
  });

  it('of an unknown merchant are empty', async () => {
    expect(await unusedRuns(db(), { merchantName: 'nobody' })).toEqual([]);
    expect(await unusedRuns(db(), { merchantId: 'mer_nobody' })).toEqual([]);
  });
});

describePostgres('unused runs among many payments', () => {
  it('are found by index', async () => {
    const { db, drop } = await createPostgresDatabase();
    try {
      const mine = await newMerchant(db, ['LTC']);
      await enact(db, mine.key, ['paid', ...Array.from({ length: 30 }, () => 'allocated' as const)]);
      await sql`
        insert into derivation_key (id, network, fingerprint, extended_public_key, address_type)
        select 'other' || i, 'litecoin-mainnet', i, 'key', 'p2pkh' from generate_series(1, 200) as i`.execute(db);
      const paid = Array.from({ length: 100 }, () => 'paid' as const);
      for (let other = 1; other <= 200; other += 1) await enact(db, `other${other}`, paid);
      await sql`analyze`.execute(db);
      await db.transaction().execute(async (trx) => {
        const before = await rowsRead(trx);
        expect(await unusedRuns(trx, { merchantName: mine.name })).toMatchObject([{ run: 30 }]);
        const after = await rowsRead(trx);
        expect(after.address - before.address).toBeLessThan(200);
        expect(after.payment - before.payment).toBeLessThan(50);
      });
    } finally {
      await drop();
    }
  });
});

// Helpers

function indicesOf(fates: readonly Fate[], included: readonly Fate[]): number[] {
  return fates.flatMap((each, index) => (included.includes(each) ? [index] : []));
}

/** Length of the longest row of consecutive numbers; `indices` ascend. */
function longestRow(indices: readonly number[]): number {
  const lengths = indices.map(() => 1);
  for (const [at, index] of indices.entries()) {
    if (indices[at - 1] === index - 1) lengths[at] = (lengths[at - 1] ?? 0) + 1;
  }
  return Math.max(0, ...lengths);
}

function newAccount(): string {
  return HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/2'/0'").publicExtendedKey;
}

async function newMerchant(db: Db, cryptos: readonly CryptoSymbol[], extendedPublicKey = newAccount()) {
  const name = `Shop ${randomUUID()}`;
  const merchant = { name, email: `${randomUUID()}@shop.test`, plan: 'starter', settings: {} };
  const { id: merchantId } = await db.transaction().execute((trx) => upsertMerchant(trx, merchant));
  for (const crypto of cryptos) {
    await attachWallet(db, { merchantId, mode: 'live', spec: { crypto, extendedPublicKey }, networkKind: 'mainnet' });
  }
  const wallet = await db
    .selectFrom('wallet')
    .select('derivation_key_id')
    .where('merchant_id', '=', merchantId)
    .executeTakeFirstOrThrow();
  return { name, key: wallet.derivation_key_id };
}

/** Inserts the rows that represent what happened at each index. */
async function enact(db: Db, key: string, fates: readonly Fate[], firstIndex = 0): Promise<void> {
  await sql`
    with given as (
      select fate, ${firstIndex}::int8 + position - 1 as index, 'txn_' || ${key} || '_' || position + ${firstIndex}::int8 as id
      from unnest(${fates}::text[]) with ordinality as given (fate, position)
    ), addresses as (
      insert into address (network, address, watch_key, derivation_key_id, derivation_index, transaction_id, taken_at,
        found_used_at)
      select 'litecoin-mainnet', id, id, ${key}, index,
        case when fate in ('allocated', 'paid', 'paid and lost', 'unassigned', 'unassigned and lost') then id end,
        case when fate <> 'free' then now() end, case when fate = 'found used' then now() end
      from given
    ), payments as (
      insert into payment (transaction_id, output_id, network, amount_base_units, presence, status, first_seen_at)
      select id, 'out', 'litecoin-mainnet', 1, case when fate = 'paid' then 'block' else 'gone' end, 'confirmed', now()
      from given where fate in ('paid', 'paid and lost')
    )
    insert into unassigned_payment (network, output_id, asset, address, reason, amount_base_units, status, chain_order,
      first_seen_at)
    select 'litecoin-mainnet', 'out', 'LTC', id, 'unassigned_address', 1,
      case when fate = 'unassigned and lost' then 'gone' else 'mempool' end, 1, now()
    from given where fate in ('unassigned', 'unassigned and lost', 'skipped with unassigned')`.execute(db);
}

/**
 * Rows read from each table, by whatever plan, in this transaction and perhaps in earlier ones of
 * the connection: Postgres hands their counts on once a second.
 */
async function rowsRead(trx: Transaction<Database>): Promise<{ address: number; payment: number }> {
  const { rows } = await sql<{ relname: string; rows: number }>`
    select relname, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
    where relname in ('address', 'payment')`.execute(trx);
  const readOf = (name: string) => rows.find((row) => row.relname === name)?.rows ?? 0;
  return { address: readOf('address'), payment: readOf('payment') };
}
