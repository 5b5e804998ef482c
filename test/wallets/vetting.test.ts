import { randomBytes, randomUUID } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { sql, type Transaction } from 'kysely';
import { expect, it, vi } from 'vitest';
import type { AddressHistory, RequestedAddress } from '../../src/chains/index.ts';
import { createBitcoindRpc, createUtxoHistory } from '../../src/chains/index.ts';
import { attachWallet, upsertMerchant } from '../../src/merchants/index.ts';
import type { Database } from '../../src/platform/db/index.ts';
import { planByIndex } from '../../src/platform/engine/sql/plan.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import {
  type AddressVetter,
  allocateAddresses,
  createAddressVetter,
  parseExtendedKey,
  registerDerivationKey,
  SCAN_PAUSE_MS,
} from '../../src/wallets/index.ts';
import { deriveAhead, deriveMissing } from '../../src/wallets/supply/derive-ahead.ts';
import { type DerivationRange, deriveRows } from '../../src/wallets/supply/derived-rows.ts';
import { skipFree } from '../../src/wallets/supply/skip-addresses.ts';
import { hasUnvettedWallet, loadUnvetted } from '../../src/wallets/supply/vetting.ts';
import { createTestClock } from '../support/clock.ts';
import {
  createPostgresDatabase,
  describeDatabases,
  describePostgres,
  type TestDatabase,
} from '../support/database/test-database.ts';
import { startLitecoind } from '../support/nodes/litecoind.ts';
import { POLLING } from '../support/polling.ts';
import { describeWith } from '../support/run/components.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { silentLog } from '../support/silent-log.ts';

type Db = TestDatabase['db'];

const describeWithNode = describeWith('litecoind');

describeDatabases('vetting addresses', (database) => {
  const db = () => database().db;

  it('rule 28: never allocates an address that was used before, and allocates the others in order', async () => {
    const network = await ownNetwork(db());
    const key = await newKey(db(), network, 6);
    const watchKeys = await freeWatchKeys(db(), key);
    const { history } = historyOf(new Set([watchKeys[0], watchKeys[3]]));
    expect(await vetterOf(db(), network, history).vet()).toBe('done');
    expect(await take(db(), key, 4)).toEqual([1, 2, 4, 5]);
    expect(await take(db(), key, 1)).toEqual([6]);
  });

  it('prefers vetted addresses and waits for none', async () => {
    const network = await ownNetwork(db());
    const key = await newKey(db(), network, 4);
    const vetter = vetterOf(db(), network, historyOf(new Set()).history);
    expect(await take(db(), key, 1)).toEqual([0]);
    await vetter.vet();
    // Derived since and not vetted: two of the first ones, then addresses not vetted at all yet.
    expect(await take(db(), key, 5)).toEqual([1, 2, 3, 4, 5]);
  });

  it('rule 29: hands a hole out later: an address inserted late waits until it is vetted or nothing else is ready', async () => {
    const network = await ownNetwork(db());
    const key = await newKey(db(), network, 4);
    const clock = createTestClock();
    const vetter = vetterOf(db(), network, historyOf(new Set()).history, clock);
    for (const table of ['address', 'free_address'] as const) {
      await db().deleteFrom(table).where('derivation_key_id', '=', key).where('derivation_index', '=', 0).execute();
    }
    await vetter.vet();
    await deriveMissing(db(), key, async (range) => deriveRows(range));
    expect(await take(db(), key, 1)).toEqual([1]);
    clock.advance(SCAN_PAUSE_MS);
    await vetter.vet();
    expect(await take(db(), key, 3)).toEqual([0, 2, 3]);
  });

  it('leaves an address allocated during the query to its payment', async () => {
    const network = await ownNetwork(db());
    const key = await newKey(db(), network, 3);
    const [first] = await freeWatchKeys(db(), key);
    const history: AddressHistory = {
      async usedAmong() {
        await take(db(), key, 1);
        return new Set([first ?? '']);
      },
    };
    await vetterOf(db(), network, history).vet();
    const row = await db()
      .selectFrom('address')
      .select(['transaction_id', 'vetted_at', 'found_used_at'])
      .where('watch_key', '=', first ?? '')
      .executeTakeFirstOrThrow();
    expect(row.transaction_id).not.toBeNull();
    expect(row).toMatchObject({ vetted_at: null, found_used_at: null });
    // Nothing was skipped, and the coins there may be the payment's own.
    const alerts = await db().selectFrom('operator_alert').select('id').where('detail', 'like', `%${key}%`).execute();
    expect(alerts).toEqual([]);
  });

  it('alerts the operator once for a wallet that was used before, and names its merchant', async () => {
    const network = 'litecoin-testnet';
    const merchant = {
      name: `Shop ${randomUUID()}`,
      email: `${randomUUID()}@shop.test`,
      plan: 'starter',
      settings: {},
    };
    const { id } = await db()
      .transaction()
      .execute((trx) => upsertMerchant(trx, merchant));
    const account = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/1'/0'").publicExtendedKey;
    const spec = { crypto: 'LTC', extendedPublicKey: account } as const;
    await attachWallet(db(), { merchantId: id, mode: 'live', spec, networkKind: 'testnet' });
    const { id: key } = await db()
      .selectFrom('derivation_key')
      .select('id')
      .where('network', '=', network)
      .executeTakeFirstOrThrow();
    const clock = createTestClock();
    const { history } = historyOf('all');
    const vetter = vetterOf(db(), network, history, clock);
    for (const count of [3, 2]) {
      await derive(db(), key, count);
      await vetter.vet();
      clock.advance(SCAN_PAUSE_MS);
    }
    const alerts = await db()
      .selectFrom('operator_alert')
      .select('detail')
      .where('alert', '=', 'wallet_used_before')
      .where('detail', 'like', `%${merchant.name}%`)
      .execute();
    expect(alerts.map(({ detail }) => detail)).toEqual([
      `the wallet for LTC of ${merchant.name} on litecoin-testnet was used before; 3 addresses skipped. Use a separate wallet account for this service`,
    ]);
    expect(await take(db(), key, 1)).toEqual([5]);
  });

  it('scans a chain again only after a pause, but immediately for a wallet that was never scanned', async () => {
    const network = await ownNetwork(db());
    const clock = createTestClock();
    const first = await newKey(db(), network, 2);
    const { history, requested } = historyOf(new Set());
    const vetter = vetterOf(db(), network, history, clock);
    expect(await vetter.vet()).toBe('done');
    await derive(db(), first, 4);
    expect(await vetter.vet()).toBe('idle');
    const second = await newKey(db(), network, 2);
    expect(await vetter.vet()).toBe('done');
    // A scan costs the same for any number of addresses, so it includes all that wait.
    expect(requested.map((batch) => batch.length)).toEqual([2, 4]);
    await derive(db(), second, 4);
    expect(await vetter.vet()).toBe('idle');
    clock.advance(SCAN_PAUSE_MS);
    expect(await vetter.vet()).toBe('done');
    expect(await vetter.vet()).toBe('idle');
    expect(requested).toHaveLength(3);
  });

  it('does not rescan immediately for a wallet whose addresses were all used', async () => {
    const network = await ownNetwork(db());
    const key = await newKey(db(), network, 3);
    const { history, requested } = historyOf('all');
    const vetter = vetterOf(db(), network, history);
    expect(await vetter.vet()).toBe('done');
    await derive(db(), key, 3);
    expect(await vetter.vet()).toBe('idle');
    expect(requested).toHaveLength(1);
  });

  it('queries an EVM chain whenever there are addresses to vet', async () => {
    const network = await ownNetwork(db(), 'ethereum');
    const key = await newKey(db(), network, 2);
    const { history, requested } = historyOf(new Set());
    const vetter = vetterOf(db(), network, history);
    await vetter.vet();
    await derive(db(), key, 4);
    await vetter.vet();
    expect(await vetter.vet()).toBe('idle');
    expect(requested.map((batch) => batch.length)).toEqual([2, 2]);
  });

  it('queries the lowest indices of every wallet first, in batches, until nothing is left', async () => {
    const network = await ownNetwork(db(), 'ethereum');
    const [a, b] = [await newKey(db(), network, 70), await newKey(db(), network, 70)];
    const { history, requested } = historyOf(new Set());
    const vetter = vetterOf(db(), network, history);
    expect([await vetter.vet(), await vetter.vet(), await vetter.vet()]).toEqual(['more', 'done', 'idle']);
    expect(requested.map((batch) => batch.length)).toEqual([100, 40]);
    const first = new Set(requested[0]?.map(({ watchKey }) => watchKey));
    for (const key of [a, b]) {
      const keys = await freeWatchKeys(db(), key);
      expect(keys.map((each) => first.has(each))).toEqual(keys.map((_, index) => index < 50));
    }
  });

  it('stops querying a node that has no response', async () => {
    const network = await ownNetwork(db());
    await newKey(db(), network, 2);
    const usedAmong = vi.fn(async () => null);
    const vetter = vetterOf(db(), network, { usedAmong });
    expect([await vetter.vet(), await vetter.vet()]).toEqual(['cannot_tell', 'cannot_tell']);
    expect(usedAmong).toHaveBeenCalledTimes(1);
  });

  /**
   * Found by the chaos suite: the query was sent all the same, its rejection had no handler, and
   * the process crashed.
   */
  it('sends no query when it is stopped while it reads the addresses', async () => {
    const network = await ownNetwork(db());
    await newKey(db(), network, 2);
    const usedAmong = vi.fn<AddressHistory['usedAmong']>(async (_, signal) => {
      signal?.throwIfAborted();
      return new Set();
    });
    const now = () => {
      void vetter.stop();
      return Date.now();
    };
    const vetter = createAddressVetter({ db: db(), network, history: { usedAmong }, log: silentLog, clock: { now } });
    vetter.start();
    await vetter.stop();
    expect(usedAmong).not.toHaveBeenCalled();
  });

  it('continues after failures, and aborts a query in progress when it is stopped', async () => {
    const network = await ownNetwork(db(), 'ethereum');
    const key = await newKey(db(), network, 2);
    let calls = 0;
    let aborted = false;
    const history: AddressHistory = {
      async usedAmong(_, signal) {
        calls += 1;
        if (calls === 1) throw new RetryableError('NODE_SYNCING', 'not yet', { retryAfterMs: 1 });
        if (calls === 2) return new Set();
        signal?.addEventListener('abort', () => {
          aborted = true;
        });
        // A node that never responds.
        return new Promise<never>(() => {});
      },
    };
    const vetter = vetterOf(db(), network, history);
    vetter.start();
    try {
      await vi.waitFor(async () => expect(await vettedCount(db(), key)).toBe(2), POLLING);
      await derive(db(), key, 4);
      await vi.waitFor(() => expect(calls).toBe(3), POLLING);
    } finally {
      await vetter.stop();
    }
    expect(aborted).toBe(true);
    expect(await vettedCount(db(), key)).toBe(2);
  });

  it('allocates every unused address once, in order, under any interleaving', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('derive' as const), count: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ do: fc.constant('take' as const), count: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ do: fc.constant('vet' as const), count: fc.constant(0) }),
    );
    const network = await ownNetwork(db(), 'ethereum');
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.func(fc.boolean()), async (steps, isUsed) => {
        const key = await newKey(db(), network, 3);
        const requested: RequestedAddress[] = [];
        const history: AddressHistory = {
          usedAmong: async (addresses) => {
            requested.push(...addresses);
            return new Set(addresses.map((each) => each.watchKey).filter((watchKey) => isUsed(watchKey)));
          },
        };
        const vetter = vetterOf(db(), network, history);
        const allocated: number[] = [];
        for (const each of steps) {
          if (each.do === 'derive') await derive(db(), key, each.count);
          else if (each.do === 'vet') await vetter.vet();
          else allocated.push(...(await take(db(), key, each.count)));
        }
        expect(allocated).toEqual([...new Set(allocated)].sort((a, b) => a - b));
        const rows = await db().selectFrom('address').selectAll().where('derivation_key_id', '=', key).execute();
        const requestedKeys = new Set(requested.map(({ watchKey }) => watchKey));
        for (const row of rows) {
          const wasSpoilt = requestedKeys.has(row.watch_key) && isUsed(row.watch_key);
          if (wasSpoilt) expect(row).toMatchObject({ transaction_id: null, vetted_at: null });
          expect(row.found_used_at !== null).toBe(wasSpoilt);
          expect(row.taken_at !== null).toBe(wasSpoilt || allocated.includes(row.derivation_index));
          expect(row.vetted_at !== null).toBe(requestedKeys.has(row.watch_key) && !wasSpoilt);
        }
        const free = await db().selectFrom('free_address').selectAll().where('derivation_key_id', '=', key).execute();
        const expected = rows
          .filter((row) => row.taken_at === null)
          .map((row) => [row.derivation_index, row.vetted_at === null, row.network]);
        expect(free.map((row) => [row.derivation_index, row.awaits_vetting, row.network]).sort(byIndex)).toEqual(
          expected.sort(byIndex),
        );
      }),
      { numRuns: level.runs(database().kind === 'postgres' ? 20 : 10) },
    );
  });
});

describePostgres('allocation and vetting among many addresses', () => {
  it('reads only the relevant rows', async () => {
    const database = await createPostgresDatabase();
    const { db } = database;
    try {
      const key = await newKey(db, 'litecoin-regtest', 1);
      await sql`
        insert into address (network, address, watch_key, derivation_key_id, derivation_index, transaction_id, taken_at,
          vetted_at)
        select 'litecoin-regtest', 'a' || i, 'w' || i, ${key}, i, case when i < 39000 then 'txn_' || i end,
          case when i < 39000 then now() end, case when i % 3 > 0 then now() end
        from generate_series(1, 40000) as i`.execute(db);
      await sql`
        insert into free_address (derivation_key_id, awaits_vetting, derivation_index, network)
        select derivation_key_id, vetted_at is null, derivation_index, network from address
        where taken_at is null and derivation_index > 0`.execute(db);
      await sql`analyze`.execute(db);
      const requests = Array.from({ length: 8 }, (_, index) => ({
        derivationKeyId: key,
        transactionId: `new_${index}`,
      }));
      const take = async (trx: Transaction<Database>) => {
        // As in a batch of the engine, where payments take their addresses.
        await planByIndex(trx);
        await allocateAddresses(trx, requests);
      };
      expect(await rowsReadBy(db, take)).toBeLessThan(50);
      expect(await rowsReadBy(db, (trx) => loadUnvetted(trx, 'litecoin-regtest', 20))).toBeLessThan(50);
      expect(await rowsReadBy(db, (trx) => hasUnvettedWallet(trx, 'litecoin-regtest', []))).toBeLessThan(50);
    } finally {
      await database.drop();
    }
  });
});

describeWithNode('vetting on a Litecoin node', () => {
  it('skips the addresses of a wallet that were paid before, and reports it', async () => {
    const node = await startLitecoind();
    const rpc = createBitcoindRpc({ url: node.rpcUrl });
    const database = await createPostgresDatabase();
    const { db } = database;
    try {
      const network = 'litecoin-regtest';
      const key = await newKey(db, network, 30);
      const rows = await db.selectFrom('address').select('address').orderBy('derivation_index').execute();
      const paid = [0, 1, 7].map((index) => rows[index]?.address ?? '');
      await node.rpc('sendmany', ['', Object.fromEntries(paid.map((address) => [address, 1]))]);
      await node.mine(1);
      const vetter = vetterOf(db, network, createUtxoHistory({ rpc }));
      vetter.start();
      try {
        await vi.waitFor(async () => expect(await vettedCount(db, key)).toBe(27), POLLING);
      } finally {
        await vetter.stop();
      }
      expect(await take(db, key, 7)).toEqual([2, 3, 4, 5, 6, 8, 9]);
      const alerts = await db.selectFrom('operator_alert').select(['alert', 'detail']).execute();
      expect(alerts).toEqual([{ alert: 'wallet_used_before', detail: expect.stringContaining('3 addresses skipped') }]);
    } finally {
      await rpc.close();
      await node.stop();
      await database.drop();
    }
  });
});

// Helpers

function byIndex([a]: unknown[], [b]: unknown[]): number {
  return Number(a) - Number(b);
}

/** What the chain knows, and what it was asked. */
function historyOf(used: ReadonlySet<string | undefined> | 'all') {
  const requested: (readonly RequestedAddress[])[] = [];
  const history: AddressHistory = {
    async usedAmong(addresses) {
      requested.push(addresses);
      const keys = addresses.map(({ watchKey }) => watchKey);
      return new Set(keys.filter((watchKey) => used === 'all' || used.has(watchKey)));
    },
  };
  return { history, requested };
}

function vetterOf(db: Db, network: string, history: AddressHistory, clock = createTestClock()): AddressVetter {
  return createAddressVetter({ db, network, history, log: silentLog, clock, pollMs: 5 });
}

/** Takes all addresses that earlier tests left free on this network, so that none needs vetting. */
async function ownNetwork(db: Db, chain: 'litecoin' | 'ethereum' = 'litecoin'): Promise<string> {
  const network = `${chain}-regtest`;
  await db.transaction().execute((trx) => skipFree(trx, sql`network = ${network}`));
  return network;
}

/** An unused wallet with addresses derived ahead. */
async function newKey(db: Db, network: string, ahead: number): Promise<string> {
  const chain = network.startsWith('ethereum') ? 'ethereum' : 'litecoin';
  const key = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/1'/0'").publicExtendedKey;
  const walletKey = parseExtendedKey({ chain, networkKind: 'regtest', key });
  const id = await registerDerivationKey(db, { network, mode: 'live', walletKey, fingerprint: walletKey.keyId });
  await derive(db, id, ahead);
  return id;
}

async function derive(db: Db, key: string, ahead: number): Promise<void> {
  await deriveAhead(db, key, { ahead, derive: async (range: DerivationRange) => deriveRows(range) });
}

/** Allocates addresses and returns their indices. */
async function take(db: Db, derivationKeyId: string, count: number): Promise<number[]> {
  const requests = Array.from({ length: count }, () => ({ derivationKeyId, transactionId: randomUUID() }));
  const taken = await db.transaction().execute((trx) => allocateAddresses(trx, requests));
  return taken.map((each) => each.derivationIndex);
}

async function freeWatchKeys(db: Db, key: string): Promise<string[]> {
  const rows = await db
    .selectFrom('address')
    .select('watch_key')
    .where('derivation_key_id', '=', key)
    .where('taken_at', 'is', null)
    .orderBy('derivation_index')
    .execute();
  return rows.map((row) => row.watch_key);
}

async function vettedCount(db: Db, key: string): Promise<number> {
  const { count } = await db
    .selectFrom('address')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('derivation_key_id', '=', key)
    .where('vetted_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Rows of the address table that `work` reads by index. Fails the test on a full scan. */
async function rowsReadBy(db: Db, work: (trx: Transaction<Database>) => Promise<unknown>): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const before = await readsOfAddresses(trx);
    await work(trx);
    const after = await readsOfAddresses(trx);
    expect(after.scans - before.scans).toBe(0);
    return after.rows - before.rows;
  });
}

/**
 * Includes earlier transactions of the connection: Postgres hands their counts on once a second.
 */
async function readsOfAddresses(trx: Transaction<Database>): Promise<{ scans: number; rows: number }> {
  const { rows } = await sql<{ scans: number; rows: number }>`
    select seq_scan::int as scans, idx_tup_fetch::int as rows
    from pg_stat_xact_user_tables where relname = 'address'`.execute(trx);
  return rows[0] ?? { scans: 0, rows: 0 };
}
