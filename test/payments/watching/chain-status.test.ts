import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../machines/index.ts';
import type { Watcher } from '../../../src/chains/index.ts';
import {
  BLIND_AFTER_MS,
  type ChainStatus,
  createChainLease,
  createChainOverview,
  createWatcherStore,
  readChainStatus,
  recordWatcherStatus,
} from '../../../src/payments/index.ts';
import { createTestClock, START_MS } from '../../support/clock.ts';
import { describeDatabases, type TestDatabase } from '../../support/database/test-database.ts';
import { silentLog } from '../../support/silent-log.ts';

describeDatabases('the status of a network', (database) => {
  const statusOf = async (network: string, now = START_MS): Promise<ChainStatus> => {
    const all = await readChainStatus(database().db, createTestClock(now), [network]);
    const found = all.filter((status) => status.network === network);
    expect(found).toHaveLength(1);
    return found[0] as ChainStatus;
  };

  test('is never_started until a poll has finished, whether a watcher tries or not', async () => {
    const { db } = database();
    const network = newNetwork();
    expect(await statusOf(network)).toMatchObject({ state: 'never_started', holder: null, blocksBehind: null });
    await createChainLease({ db, network, holder: 'host:1', leaseMs: MINUTE_MS }).take();
    expect(await statusOf(network)).toMatchObject({ state: 'never_started', holder: 'host:1' });
    const watcher = watcherOf(network, async () => {
      throw new Error('connect ECONNREFUSED\u0000 http://user:hunter2@127.0.0.1:9332');
    });
    await expect(recordWatcherStatus({ db, watcher, log: silentLog }).step()).rejects.toThrow();
    const status = await statusOf(network);
    expect(status).toMatchObject({ state: 'never_started', lastErrorAt: expect.any(Number) });
    expect(status.lastError).toMatch(/^connect ECONNREFUSED\ufffd http:\/\/.*@127/);
    expect(status.lastError).not.toContain('hunter2');
  });

  test('is watching up to five minutes after the last complete poll', async () => {
    const network = await syncedNetwork(database().db, { syncedUntil: START_MS, height: 7, tipHeight: 9 });
    expect(await statusOf(network, START_MS + BLIND_AFTER_MS)).toMatchObject({
      state: 'watching',
      cursorHeight: 7,
      tipHeight: 9,
      blocksBehind: 2,
      syncedUntil: START_MS,
      syncedAgeMs: BLIND_AFTER_MS,
      lastError: null,
      warnings: [],
    });
  });

  test('is then catching_up while its watcher makes progress, and blind when it fails or goes silent', async () => {
    const { db } = database();
    const later = START_MS + BLIND_AFTER_MS + 1;
    const network = await syncedNetwork(db, { syncedUntil: START_MS, height: 7, tipHeight: 900 });
    expect(await statusOf(network, later)).toMatchObject({ state: 'catching_up', blocksBehind: 893 });
    await sql`update chain_cursor set last_error = 'no' where network = ${network}`.execute(db);
    expect(await statusOf(network, later)).toMatchObject({ state: 'blind', lastError: 'no' });
    await sql`update chain_cursor set last_error = null, reported_at = now() - interval '61 seconds'
      where network = ${network}`.execute(db);
    expect(await statusOf(network, later)).toMatchObject({ state: 'blind', lastError: null });
    expect(await statusOf(network, later - 1)).toMatchObject({ state: 'watching' });
  });

  test('names no holder whose lease has expired', async () => {
    const { db } = database();
    const network = newNetwork();
    const lease = createChainLease({ db, network, holder: 'host:1', leaseMs: MINUTE_MS });
    await lease.take();
    await sql`update chain_lease set expires_at = now() where network = ${network}`.execute(db);
    expect(await statusOf(network)).toMatchObject({ holder: null, leasedUntil: null });
    await lease.take();
    expect(await statusOf(network)).toMatchObject({ holder: 'host:1', leasedUntil: expect.any(Number) });
  });

  test('keeps warnings and the newest error, at most one write a second, and clears the error with the next successful poll', async () => {
    const { db } = database();
    const network = await syncedNetwork(db, { syncedUntil: START_MS, height: 7, tipHeight: 7 });
    let failure: Error | null = new Error('first');
    let monotonic = 0;
    const watcher = watcherOf(network, async () => {
      if (failure !== null) throw failure;
    }, ['The node is pruned.']);
    const kept = recordWatcherStatus({ db, watcher, log: silentLog, monotonicMs: () => monotonic });
    const poll = async (error: string | null, afterMs: number) => {
      failure = error === null ? null : new Error(error);
      monotonic += afterMs;
      await kept.step().catch(() => undefined);
      return statusOf(network);
    };
    expect(await poll('first', 0)).toMatchObject({ lastError: 'first', warnings: ['The node is pruned.'] });
    expect(await poll('second', 999)).toMatchObject({ lastError: 'first' });
    expect(await poll('third', 1)).toMatchObject({ lastError: 'third' });
    expect(await poll(null, 1_000)).toMatchObject({ lastError: null, lastErrorAt: null });

    await sql`update chain_cursor set reported_at = null where network = ${network}`.execute(db);
    expect(await poll(null, 9_999), 'the same again is not worth a write').toMatchObject({ reportedAt: null });
    expect(await poll(null, 1)).toMatchObject({ reportedAt: expect.any(Number) });
  });

  test('that cannot be written does not fail the poll', async () => {
    const network = newNetwork();
    const gone = new Error('the database is away');
    const db = new Proxy(database().db, {
      get() {
        throw gone;
      },
    });
    await recordWatcherStatus({ db, watcher: watcherOf(network, async () => {}), log: silentLog }).step();
    expect((await statusOf(network)).reportedAt).toBeNull();
  });

  test('is read once for all callers within two seconds', async () => {
    const { db } = database();
    const network = newNetwork();
    let monotonic = 0;
    const clock = createTestClock();
    const overview = createChainOverview({ db, clock, networks: [network], monotonicMs: () => monotonic });
    expect(await overview.isWatched(network)).toBe(false);
    await syncedNetwork(db, { network, syncedUntil: START_MS, height: 7, tipHeight: 7 });
    monotonic += 1_999;
    expect(await overview.isWatched(network)).toBe(false);
    monotonic += 1;
    const [one, other] = await Promise.all([overview.read(), overview.read()]);
    expect(one).toBe(other);
    expect(await overview.isWatched(network)).toBe(true);
    expect(await overview.isWatched(`${network}-elsewhere`)).toBe(false);
    clock.advance(BLIND_AFTER_MS + 1);
    monotonic += 2_000;
    expect(await overview.isWatched(network), 'who catches up does not watch').toBe(false);
  });
});

// Helpers

function newNetwork(): string {
  return `network-${randomUUID()}`;
}

interface SyncedNetwork {
  readonly network?: string;
  readonly syncedUntil: number;
  readonly height: number;
  readonly tipHeight: number;
}

async function syncedNetwork(db: TestDatabase['db'], input: SyncedNetwork): Promise<string> {
  const { network = newNetwork(), syncedUntil, height, tipHeight } = input;
  const store = createWatcherStore({ db, network, onProgress: () => {} });
  await store.nextEpoch();
  const cursor = { height, blockHash: 'hash' };
  await store.saveProgress({ forkHeight: height, blocks: [], cursor, tipHeight, syncedUntil });
  return network;
}

function watcherOf(network: string, step: () => Promise<void>, warnings: readonly string[] = []): Watcher {
  const nothing = { cursorHeight: null, tipHeight: null, syncedUntil: null, lastError: null };
  return {
    network,
    step,
    verify: async () => {},
    rescan: async () => ({ blocks: 0, outputs: 0 }),
    search: async () => ({ height: null, outputs: 0 }),
    status: () => ({ network, ...nothing, warnings }),
  };
}
