import { randomBytes, randomUUID } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { sql, type Transaction } from 'kysely';
import { expect, it } from 'vitest';
import { connect, type Database } from '../../src/platform/db/index.ts';
import {
  type AddressType,
  type AllocatedAddress,
  advanceIndex,
  allocateAddresses,
  createAddressSupply,
  parseExtendedKey,
  registerDerivationKey,
  skipAddresses,
} from '../../src/wallets/index.ts';
import { deriveAhead, deriveMissing } from '../../src/wallets/supply/derive-ahead.ts';
import { type AddressRow, type DerivationRange, deriveRows } from '../../src/wallets/supply/derived-rows.ts';
import {
  createPostgresDatabase,
  describeBothDatabases,
  describeDatabases,
  describePostgres,
  type TestDatabase,
} from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { silentLog } from '../support/silent-log.ts';

type Db = TestDatabase['db'];

describeBothDatabases('address allocation', (database) => {
  const db = () => database().db;

  it('rule 28, rule 29: allocates the lowest free index and never the same address twice', async () => {
    const key = await newKey(db());
    const first = await take(db(), key, 3);
    const second = await take(db(), key, 2);
    expect([...first, ...second].map((each) => each.derivationIndex)).toEqual([0, 1, 2, 3, 4]);
    expect(new Set([...first, ...second].map((each) => each.address)).size).toBe(5);
  });
});

describeDatabases('address allocation in detail', (database) => {
  const db = () => database().db;

  it('leaves no gap when the payment that requested an address fails', async () => {
    const key = await newKey(db());
    await take(db(), key, 1);
    const failing = db()
      .transaction()
      .execute(async (trx) => {
        await allocateAddresses(trx, [{ derivationKeyId: key, transactionId: randomUUID() }]);
        throw new Error('the payment cannot be');
      });
    await expect(failing).rejects.toThrow('the payment cannot be');
    expect((await take(db(), key, 1)).map((each) => each.derivationIndex)).toEqual([1]);
  });

  it('serves several wallets in one batch, in the order of the requests', async () => {
    const [a, b] = [await newKey(db()), await newKey(db())];
    const requests = [a, b, a].map((derivationKeyId) => ({ derivationKeyId, transactionId: randomUUID() }));
    const taken = await db()
      .transaction()
      .execute((trx) => allocateAddresses(trx, requests));
    expect(taken.map((each) => each.derivationIndex)).toEqual([0, 0, 1]);
    const rows = await db()
      .selectFrom('address')
      .select(['address', 'transaction_id'])
      .where('taken_at', 'is not', null)
      .execute();
    const owners = new Map(rows.map((row) => [row.address, row.transaction_id]));
    expect(taken.map((each) => owners.get(each.address))).toEqual(requests.map((request) => request.transactionId));
  });

  it('shares one counter between all merchants with the same key, in any form', async () => {
    const account = HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/2'/0'");
    const register = () => registerKey(db(), account.publicExtendedKey);
    const [mine, yours] = [await register(), await register()];
    expect(yours).toBe(mine);
    const taken = [...(await take(db(), mine, 1)), ...(await take(db(), yours, 1))];
    expect(taken.map((each) => each.derivationIndex)).toEqual([0, 1]);
  });

  it('closes the gap left by a crash between reservation and derivation', async () => {
    const key = await newKey(db());
    const crash = () => Promise.reject(new Error('the process died'));
    await expect(deriveAhead(db(), key, { ahead: 5, derive: crash })).rejects.toThrow('the process died');
    const derive = async (range: DerivationRange) => deriveRows(range);
    expect(await deriveMissing(db(), key, derive)).toBe(5);
    expect(await deriveMissing(db(), key, derive)).toBe(0);
    expect((await take(db(), key, 6)).map((each) => each.derivationIndex)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('lets two processes derive the same reserved index and keeps one address', async () => {
    const key = await newKey(db());
    const repairMeanwhile = async (range: DerivationRange) => {
      await deriveMissing(db(), key, async (missing) => deriveRows(missing));
      return deriveRows(range);
    };
    expect(await deriveAhead(db(), key, { ahead: 3, derive: repairMeanwhile })).toBe(3);
    const rows = await db()
      .selectFrom('address')
      .select('derivation_index')
      .where('derivation_key_id', '=', key)
      .execute();
    expect(rows.map((row) => row.derivation_index).sort((a, b) => a - b)).toEqual([0, 1, 2]);
  });

  it('keeps addresses ready after some were allocated, more of them under higher demand', async () => {
    const key = await newKey(db());
    const supply = createAddressSupply({ db: db(), log: silentLog });
    const free = async () => {
      const { count } = await db()
        .selectFrom('address')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('derivation_key_id', '=', key)
        .where('taken_at', 'is', null)
        .executeTakeFirstOrThrow();
      return count;
    };
    try {
      supply.recordTaken(key, 1);
      await expect.poll(free, { timeout: 20_000 }).toBe(20);
      // A quarter of 20, of 40, of 80, of 160 and of 320; then at most 400 are kept.
      for (const [taken, kept] of [
        [5, 40],
        [10, 80],
        [20, 160],
        [40, 320],
        [80, 400],
        [100, 400],
      ] as const) {
        await take(db(), key, taken);
        supply.recordTaken(key, taken - 1);
        supply.recordTaken(key, 1);
        await expect.poll(free, { timeout: 20_000 }).toBe(kept);
      }
    } finally {
      await supply.stop();
    }
  });

  // Derivation makes this impossible; the guard protects other merchants' money from a bug in it.
  it('rejects an address that another key has already given to a payment', async () => {
    const [mine, yours] = [await newKey(db()), await newKey(db())];
    await take(db(), yours, 1);
    // What `mine` derives first is inserted as if `yours` had derived and allocated it.
    const [taken] = await take(db(), mine, 1);
    const address = taken?.address ?? '';
    await db()
      .updateTable('address')
      .set({ derivation_key_id: yours, derivation_index: 77 })
      .where('address', '=', address)
      .execute();
    await db().updateTable('derivation_key').set({ next_index: 0 }).where('id', '=', mine).execute();
    const owner = () => db().selectFrom('address').select('transaction_id').where('address', '=', address).execute();
    const before = await owner();
    await expect(take(db(), mine, 1)).rejects.toMatchObject({ code: 'ADDRESS_GENERATION_FAILED' });
    expect(await owner()).toEqual(before);
  });

  it('changes only columns of an address that no index contains, so that updates write no index entry', async () => {
    const key = await newKey(db());
    await deriveAhead(db(), key, { ahead: 2, derive: async (range) => deriveRows(range) });
    const read = () =>
      db().selectFrom('address').selectAll().where('derivation_key_id', '=', key).orderBy('derivation_index').execute();
    const before = await read();
    await take(db(), key, 1);
    await db()
      .transaction()
      .execute((trx) => skipAddresses(trx, key, 1));
    const after = await read();
    const columns = Object.keys(before[0] ?? {}) as (keyof (typeof before)[number])[];
    const changed = columns.filter((name) => before.some((row, at) => String(row[name]) !== String(after[at]?.[name])));
    expect(changed.sort()).toEqual(['taken_at', 'transaction_id']);
    const { rows: indexes } = await sql<{ definition: string }>`
      select indexdef as definition from pg_indexes where tablename = 'address'`.execute(db());
    expect(indexes.length).toBeGreaterThan(0);
    const changing = [...changed, 'vetted_at', 'released_at', 'found_used_at'];
    expect(indexes.filter(({ definition }) => changing.some((name) => definition.includes(name)))).toEqual([]);
  });

  it('keeps exactly the addresses free that nothing has taken', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('derive' as const), count: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ do: fc.constantFrom('take' as const, 'fail' as const), count: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ do: fc.constantFrom('skip' as const, 'advance' as const), count: fc.integer({ min: 1, max: 4 }) }),
    );
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const key = await newKey(db());
        const derive = async (range: DerivationRange) => deriveRows(range);
        for (const { do: what, count } of steps) {
          if (what === 'derive') await deriveAhead(db(), key, { ahead: count, derive });
          else if (what === 'take') await take(db(), key, count);
          else if (what === 'advance') await advance(db(), key, count);
          else if (what === 'skip') {
            await db()
              .transaction()
              .execute((trx) => skipAddresses(trx, key, count));
          } else {
            const failing = db()
              .transaction()
              .execute(async (trx) => {
                const requests = Array.from({ length: count }, () => ({
                  derivationKeyId: key,
                  transactionId: randomUUID(),
                }));
                await allocateAddresses(trx, requests);
                throw new Error('the payment cannot be');
              });
            await expect(failing).rejects.toThrow('the payment cannot be');
          }
          const { rows } = await sql<{ untaken: number[]; free: number[] }>`
            select
              array(select derivation_index from address where derivation_key_id = ${key} and taken_at is null
                order by 1)::int4[] as untaken,
              array(select derivation_index from free_address where derivation_key_id = ${key} order by 1)::int4[]
                as free`.execute(db());
          expect(rows[0]?.free).toEqual(rows[0]?.untaken);
        }
      }),
      { numRuns: level.runs(database().kind === 'postgres' ? 20 : 8) },
    );
  });

  it('skips, after a restore, everything the lost copy may have allocated, and keeps watching it', async () => {
    const key = await newKey(db());
    await take(db(), key, 2);
    const next = await advance(db(), key, 50);
    expect((await take(db(), key, 1)).map((each) => each.derivationIndex)).toEqual([next]);
    expect(next).toBeGreaterThanOrEqual(52);
    const rows = await db().selectFrom('address').select('address').where('derivation_key_id', '=', key).execute();
    expect(rows.length).toBe(next + 1);
  });

  it('skips any number of addresses in parts, and derives the same as in one step', async () => {
    const smallPart = fc.integer({ min: 1, max: 5 });
    const nearParts = fc.tuple(smallPart, fc.nat({ max: 3 }), fc.integer({ min: -1, max: 1 }));
    await assertAsyncProperty(
      fc.asyncProperty(nearParts, fc.nat({ max: 3 }), async ([partAddresses, parts, more], taken) => {
        const by = Math.max(1, partAddresses * parts + more);
        const key = await newKey(db());
        if (taken > 0) await take(db(), key, taken);
        const skip = (trx: Transaction<Database>) => advanceIndex(trx, key, by, { partAddresses });
        expect(await db().transaction().execute(skip)).toBe(taken + by);
        const rows = await addressesOf(db(), key);
        expect(rows).toEqual(deriveRows({ ...(await rangeOfKey(db(), key)), firstIndex: 0, count: taken + by }));
        expect((await take(db(), key, 1)).map((each) => each.derivationIndex)).toEqual([taken + by]);
      }),
      { numRuns: level.runs(database().kind === 'postgres' ? 50 : 15) },
    );
  });

  it('also skips those that were reserved at the time of the backup and had no address yet', async () => {
    const key = await newKey(db());
    await take(db(), key, 1);
    await db()
      .updateTable('derivation_key')
      .set((eb) => ({ next_index: eb('next_index', '+', 5) }))
      .where('id', '=', key)
      .execute();
    const next = await advance(db(), key, 10);
    expect(await deriveMissing(db(), key, async (range) => deriveRows(range))).toBe(0);
    expect((await take(db(), key, 1)).map((each) => each.derivationIndex)).toEqual([next]);
  });
});

describePostgres('address allocation by several processes', () => {
  it('gives every one of 120 concurrent payments an address of its own, without a gap', async () => {
    const database = await createPostgresDatabase();
    const other = await connect({ url: database.url, dataDir: null, poolSize: 8 });
    try {
      const key = await newKey(database.db);
      // One caller per connection: more would only wait, on a busy machine for too long.
      const takers = Array.from({ length: 15 }, async (_, index) => {
        const taken: AllocatedAddress[] = [];
        for (let round = 0; round < 4; round += 1) {
          taken.push(...(await take(index % 2 === 0 ? database.db : other.db, key, 2)));
        }
        return taken;
      });
      const taken = (await Promise.all(takers)).flat();
      expect(new Set(taken.map((each) => each.address)).size).toBe(120);
      const indices = taken.map((each) => each.derivationIndex).sort((a, b) => a - b);
      expect(indices).toEqual(Array.from({ length: 120 }, (_, index) => index));
    } finally {
      await other.close();
      await database.drop();
    }
  });
});

// Helpers

function parseKey(key: string) {
  return parseExtendedKey({ chain: 'litecoin', networkKind: 'regtest', key });
}

function registerKey(db: Db, key: string): Promise<string> {
  const walletKey = parseKey(key);
  return registerDerivationKey(db, {
    network: 'litecoin-regtest',
    mode: 'live',
    walletKey,
    fingerprint: walletKey.keyId,
  });
}

function newKey(db: Db): Promise<string> {
  return registerKey(db, HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/2'/0'").publicExtendedKey);
}

/** All addresses of a key, by index. */
async function addressesOf(db: Db, derivationKeyId: string): Promise<AddressRow[]> {
  const rows = await db
    .selectFrom('address')
    .selectAll()
    .where('derivation_key_id', '=', derivationKeyId)
    .orderBy('derivation_index')
    .execute();
  return rows.map((row) => ({
    derivationKeyId: row.derivation_key_id,
    network: row.network,
    index: row.derivation_index,
    address: row.address,
    watchKey: row.watch_key,
  }));
}

async function rangeOfKey(db: Db, derivationKeyId: string) {
  const key = await db
    .selectFrom('derivation_key')
    .selectAll()
    .where('id', '=', derivationKeyId)
    .executeTakeFirstOrThrow();
  const addressType = key.address_type as AddressType;
  return { derivationKeyId, network: key.network, extendedPublicKey: key.extended_public_key, addressType };
}

function advance(db: Db, derivationKeyId: string, by: number): Promise<number> {
  return db.transaction().execute((trx) => advanceIndex(trx, derivationKeyId, by));
}

function take(db: Db, derivationKeyId: string, count: number): Promise<AllocatedAddress[]> {
  const requests = Array.from({ length: count }, () => ({ derivationKeyId, transactionId: randomUUID() }));
  return db.transaction().execute((trx) => allocateAddresses(trx, requests));
}
