import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Progress, TrackedOutput, WatcherStore } from '../../../src/chains/index.ts';
import { createAccountReader, createWatcherStore, rewindWatchers } from '../../../src/payments/index.ts';
import { describeWatcherStore } from '../../chains/support/watcher-store-contract.ts';
import { describeDatabases, type TestDatabase } from '../../support/database/test-database.ts';
import { changeTransactions } from '../../support/database/transaction-rows.ts';
import { openAccount } from '../support/open-account.ts';

const FENCED = { name: 'RetryableError', code: 'WATCHER_FENCED' };
const SYNCED_UNTIL = 1_700_000_000_000;

const output: TrackedOutput = {
  outputId: 'aa:0',
  txid: 'aa',
  watchKey: '0014aa',
  asset: 'LTC',
  amountBaseUnits: 5n,
  firstSeenAt: SYNCED_UNTIL,
  spends: [],
};

describeDatabases('the memory of a watcher', (database) => {
  describeWatcherStore('the store in tables', async () => openStore(database().db).store);

  test('a replaced watcher writes nothing, and may continue with a new epoch', async () => {
    const { db } = database();
    const { store: old, network, reported } = openStore(db);
    const { store: successor } = openStore(db, network);
    await old.nextEpoch();
    await old.saveProgress(progressTo(5));
    await successor.nextEpoch();
    const before = await everythingAbout(db, network);

    await expect(old.saveUnsettled([output])).rejects.toMatchObject(FENCED);
    await expect(
      old.saveProgress({
        ...progressTo(6, SYNCED_UNTIL + 60_000),
        unsettled: { saved: [output], settledIds: [] },
        balances: [{ watchKey: '0xaa', asset: 'ETH', baseUnits: 1n }],
      }),
    ).rejects.toMatchObject(FENCED);
    expect(await everythingAbout(db, network)).toEqual(before);
    expect(reported(), 'only the first progress moved the watermark').toBe(1);

    await successor.saveProgress(progressTo(7));
    await old.nextEpoch();
    await old.saveProgress({ ...progressTo(8), forkHeight: 7 });
    expect(await old.loadCursor()).toMatchObject({ height: 8 });
    await expect(successor.saveUnsettled([])).rejects.toMatchObject(FENCED);
  });

  test('concurrent progress and successor are serialized, each whole or not at all', async () => {
    const { db } = database();
    for (let round = 0; round < 10; round += 1) {
      const { store: old, network } = openStore(db);
      const { store: successor } = openStore(db, network);
      await old.nextEpoch();
      const [saved] = await Promise.allSettled([old.saveProgress(progressTo(5)), successor.nextEpoch()]);
      const cursor = await successor.loadCursor();
      const { rows } = await sql`select 1 from watermark where gate = ${network}`.execute(db);
      expect([cursor?.height ?? null, rows.length]).toEqual(saved.status === 'fulfilled' ? [5, 1] : [null, 0]);
    }
  });

  test('coins of reorged-out blocks are kept for the next watcher until progress replaces them', async () => {
    const { db } = database();
    const { store } = openStore(db);
    await store.nextEpoch();
    expect(await store.loadReorged()).toEqual([]);
    const paid = { watchKey: '0xa1', asset: 'ETH', amountBaseUnits: 2n ** 70n, firstSeenAt: SYNCED_UNTIL } as const;
    const output = { outputId: 'balance:0xa1:5:00', txid: null, spends: [], ...paid };
    const reorged = [{ output, leftBaseUnits: 2n ** 65n, lastHeight: 5 }];
    await store.saveProgress({ ...progressTo(5), reorged });
    await store.saveProgress(progressTo(6));
    expect(await store.loadReorged()).toEqual(reorged);
    await store.saveProgress({ ...progressTo(7), reorged: [] });
    expect(await store.loadReorged()).toEqual([]);
  });

  test('progress clears the error of a previous poll and is a heartbeat', async () => {
    const { db } = database();
    const { store, network } = openStore(db);
    await store.nextEpoch();
    await db
      .updateTable('chain_cursor')
      .set({ last_error: 'the node is away', last_error_at: new Date(SYNCED_UNTIL) })
      .where('network', '=', network)
      .execute();
    await store.saveProgress(progressTo(5));
    const [row] = (await everythingAbout(db, network)).cursor;
    expect(row).toMatchObject({ last_error: null, last_error_at: null, reported_at: expect.any(Number) });
  });

  test('balances are replaced per account; of duplicates the later counts, also beyond 2^64', async () => {
    const { db } = database();
    const { store, network } = openStore(db);
    await store.nextEpoch();
    const wei = 123_456_789_012_345_678_901_234n;
    for (const address of ['0xaa', '0xbb']) await openAccount(db, { network, watchKey: address, crypto: 'ETH' });
    await store.saveProgress({
      ...progressTo(5),
      balances: [
        { watchKey: '0xaa', asset: 'ETH', baseUnits: 1n },
        { watchKey: '0xaa', asset: 'ETH', baseUnits: wei },
        { watchKey: '0xbb', asset: 'ETH', baseUnits: 7n },
      ],
    });
    await store.saveProgress({
      ...progressTo(6),
      forkHeight: 5,
      balances: [{ watchKey: '0xbb', asset: 'ETH', baseUnits: 0n }],
    });
    expect((await everythingAbout(db, network)).balances).toMatchObject([
      { watch_key: '0xaa', asset: 'ETH', expected_base_units: wei },
      { watch_key: '0xbb', asset: 'ETH', expected_base_units: 0n },
    ]);
  });

  test('balances of token payments that are no longer open are deleted in their check', async () => {
    const { db } = database();
    const { store, network } = openStore(db);
    await store.nextEpoch();
    const paid = await openAccount(db, { network, watchKey: '0xaa', crypto: 'USDC' });
    await openAccount(db, { network, watchKey: '0xbb', crypto: 'USDC' });
    const balances = ['0xaa', '0xbb'].map((watchKey) => ({ watchKey, asset: 'USDC' as const, baseUnits: 1n }));
    await store.saveProgress({ ...progressTo(5), balances });
    await changeTransactions(db, { status: 'completed' }, { id: paid });
    const turns = await createAccountReader({ db, network, coin: 'ETH' }).dueAccounts(10);
    await store.saveProgress({ ...progressTo(6), forkHeight: 5, nextChecks: turns });
    const left = (await everythingAbout(db, network)).balances as { watch_key: string; asset: string }[];
    expect(left.filter(({ asset }) => asset === 'USDC')).toMatchObject([{ watch_key: '0xbb' }]);
  });

  test('balances follow the blocks: flows are added, and subtracted when a reorg removes their block', async () => {
    const { db } = database();
    const { store, network } = openStore(db);
    const reader = createAccountReader({ db, network, coin: 'ETH' });
    await openAccount(db, { network, watchKey: '0xaa', crypto: 'ETH', status: 'completed' });
    const held = async () => (await reader.dueAccounts(10)).map(({ expectedBaseUnits }) => expectedBaseUnits);
    const account = { watchKey: '0xaa', asset: 'ETH' } as const;
    const block = (height: number, baseUnits: bigint) => {
      return { height, blockHash: `hash ${height}`, outputs: [], flows: [{ ...account, baseUnits }] };
    };
    await store.nextEpoch();
    await store.saveProgress({ ...progressTo(5), balances: [{ ...account, baseUnits: 100n }] });
    await store.saveProgress({ ...progressTo(6), blocks: [block(6, 7n)] });
    expect(await held()).toEqual([107n]);
    const turns = await reader.dueAccounts(10);
    await store.saveProgress({ ...progressTo(7), blocks: [block(7, -20n)], nextChecks: turns });
    expect(await held(), 'its turn is over').toEqual([]);
    await store.saveProgress({ ...progressTo(7), forkHeight: 5, blocks: [block(6, 1n), block(7, 0n)] });
    expect(await held(), 'due at once, because its coins moved to other blocks').toEqual([101n]);

    await db.transaction().execute((trx) => rewindWatchers(trx, { blocks: 1 }));
    expect(await held(), 'blocks that are read again do not count twice').toEqual([101n]);
    await sql`update chain_cursor set height = height + 1 where network = ${network}`.execute(db);
    expect(await held(), 'a version that follows no balances has moved the cursor').toEqual([null]);
    await store.saveProgress({ ...progressTo(9), blocks: [block(9, 3n)] });
    expect(await held()).toEqual([null]);
  });

  test('every watched account gets a check, also one allocated before checks existed, until it is released', async () => {
    const { db } = database();
    const { store, network } = openStore(db);
    await openAccount(db, { network, watchKey: '0xaa', crypto: 'USDC', status: 'completed' });
    const released = await openAccount(db, { network, watchKey: '0xbb', crypto: 'ETH', status: 'expired' });
    const reader = createAccountReader({ db, network, coin: 'ETH' });
    expect((await reader.dueAccounts(10)).map(({ watchKey, asset }) => `${watchKey} ${asset}`).sort()).toEqual([
      '0xaa ETH',
      '0xbb ETH',
    ]);
    await sql`update address set released_at = now() where transaction_id = ${released}`.execute(db);
    await store.nextEpoch();
    await store.saveProgress({ ...progressTo(5), nextChecks: await reader.dueAccounts(10) });
    const left = (await everythingAbout(db, network)).balances;
    expect(left).toMatchObject([{ watch_key: '0xaa', asset: 'ETH', expected_base_units: null }]);
    expect(await createAccountReader({ db, network, coin: 'ETH' }).dueAccounts(10), 'after a restart').toEqual([]);
  });
});

// Helpers

function openStore(db: TestDatabase['db'], network = `network-${randomUUID()}`) {
  let progresses = 0;
  const store: WatcherStore = createWatcherStore({
    db,
    network,
    onProgress: () => {
      progresses += 1;
    },
  });
  return { store, network, reported: () => progresses };
}

function progressTo(height: number, syncedUntil = SYNCED_UNTIL): Progress {
  const cursor = { height, blockHash: `hash ${height}` };
  const forkHeight = height - 1;
  return { forkHeight, blocks: [{ ...cursor, outputs: [] }], cursor, tipHeight: height, syncedUntil };
}

async function everythingAbout(db: TestDatabase['db'], network: string) {
  const { rows: cursor } = await sql`select * from chain_cursor where network = ${network}`.execute(db);
  const { rows: blocks } = await sql`select * from chain_block where network = ${network} order by height`.execute(db);
  const { rows: unsettled } = await sql`select * from unsettled_output where network = ${network}`.execute(db);
  const { rows: marks } = await sql`select * from watermark where gate = ${network}`.execute(db);
  const { rows: balances } = await sql`
    select * from account_balance where network = ${network} order by watch_key`.execute(db);
  return { cursor, blocks, unsettled, marks, balances };
}
