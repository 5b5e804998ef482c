import { randomBytes, randomUUID } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { createLiveFeed } from '../../src/operations/index.ts';
import { createWatchSet } from '../../src/payments/index.ts';
import { type Connection, connect, migrate } from '../../src/platform/db/index.ts';
import { allocateAddresses, parseExtendedKey, registerDerivationKey } from '../../src/wallets/index.ts';
import { createReplicatedPostgres, type ReplicatedPostgres } from '../support/database/replicated-postgres.ts';
import { POLLING } from '../support/polling.ts';
import { describeWith } from '../support/run/components.ts';
import { level } from '../support/run/level.ts';
import { silentLog } from '../support/silent-log.ts';
import { createInstallation } from './installation.ts';
import { newListener, type TestListener } from './test-listener.ts';

const NETWORK = 'litecoin-regtest';
/**
 * More than the new primary uses before it is read again, so that its transaction ids stay below
 * those seen.
 */
const LOST_IDS = 5_000;

let servers: ReplicatedPostgres | undefined;
let connection: Connection | undefined;

describeWith('postgresPrograms')('after transaction ids have gone backwards', () => {
  afterEach(async () => {
    await connection?.close();
    await servers?.remove();
    servers = undefined;
    connection = undefined;
  });

  // At the quick level the next test covers addresses.
  if (level.isFull) {
    test('an address created after a failover to a lagging standby is watched', { timeout: 120_000 }, async () => {
      const { db } = await open();
      const key = await newKey(db);
      const watchSet = createWatchSet({ db, network: NETWORK });
      await take(db, key);
      await servers?.detachStandby();
      await servers?.useTransactionIds(LOST_IDS);
      await take(db, key);
      await watchSet.refresh();
      const mark = await nextId(db);
      await servers?.failOver();
      await expect.poll(() => nextId(db).catch(() => mark), POLLING).toBeLessThan(mark);
      const watchKey = await take(db, key, 2);
      await servers?.useTransactionIds(2 * LOST_IDS);
      await watchSet.refresh();
      expect(watchSet.has(watchKey)).toBe(true);
      const later = await take(db, key);
      await watchSet.refresh();
      expect(watchSet.has(later)).toBe(true);
    });
  }

  test('an address created after a server crash is watched', { timeout: 120_000 }, async () => {
    const { db } = await open();
    const key = await newKey(db);
    const watchSet = createWatchSet({ db, network: NETWORK });
    await take(db, key);
    await servers?.forgetTransactionIds();
    await servers?.useTransactionIds(LOST_IDS);
    const mark = await nextId(db);
    await watchSet.refresh();
    await servers?.crashProcess();
    await expect.poll(() => nextId(db).catch(() => mark), POLLING).toBeLessThan(mark);
    const watchKey = await take(db, key);
    await servers?.useTransactionIds(2 * LOST_IDS);
    await watchSet.refresh();
    expect(watchSet.has(watchKey)).toBe(true);
  });

  // At the quick level the test above covers ids that go back, and test/http/console/live.test.ts
  // reloading.
  if (level.isFull) {
    test('every feed client reloads once, and receives later changes', { timeout: 120_000 }, async () => {
      const { db } = await open();
      const all = createInstallation({ db });
      const feed = createLiveFeed({ db, log: silentLog, pollEveryMs: 10 });
      const [staying, leaving] = [newListener(), newListener()];
      try {
        await feed.join(staying, null);
        const leave = await feed.join(leaving, null);
        await servers?.detachStandby();
        await servers?.useTransactionIds(LOST_IDS);
        const lost = await all.startSchedule();
        await expect.poll(() => [actorsOf(staying), actorsOf(leaving)], POLLING).toEqual([[lost], [lost]]);
        leave?.();
        const mark = await nextId(db);
        await servers?.failOver();
        await expect.poll(() => nextId(db).catch(() => mark), POLLING).toBeLessThan(mark);
        await expect.poll(() => staying.reloads, POLLING).toBe(1);
        const next = await all.startSchedule();
        await expect.poll(() => actorsOf(staying), POLLING).toEqual([lost, next]);

        // The new primary will reach the stored position's id again, after other transactions.
        await servers?.useTransactionIds(2 * LOST_IDS);
        const returning = newListener();
        const elsewhere = createLiveFeed({ db, log: silentLog, pollEveryMs: 10 });
        await elsewhere.join(returning, leaving.position);
        expect(returning.reloads).toBe(1);
        const last = await all.startSchedule();
        await expect.poll(() => actorsOf(returning), POLLING).toEqual([last]);
        await elsewhere.stop();
        expect(staying.reloads).toBe(1);
      } finally {
        await feed.stop();
      }
    });
  }
});

// Helpers

async function open(): Promise<Connection> {
  servers = await createReplicatedPostgres();
  connection = await connect({ url: servers.url, dataDir: null, poolSize: 4 });
  await migrate(connection.db);
  return connection;
}

async function nextId(db: Connection['db']): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select pg_snapshot_xmax(pg_current_snapshot())::text::int8 as id`.execute(db);
  return rows[0]?.id ?? 0;
}

function newKey(db: Connection['db']): Promise<string> {
  const key = HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/2'/0'").publicExtendedKey;
  const walletKey = parseExtendedKey({ chain: 'litecoin', networkKind: 'regtest', key });
  return registerDerivationKey(db, { network: NETWORK, mode: 'live', walletKey, fingerprint: walletKey.keyId });
}

/** Allocates addresses; returns the watch key of the last one. */
async function take(db: Connection['db'], derivationKeyId: string, count = 1): Promise<string> {
  const requests = Array.from({ length: count }, () => ({ derivationKeyId, transactionId: randomUUID() }));
  const taken = await db.transaction().execute((trx) => allocateAddresses(trx, requests));
  return taken.at(-1)?.watchKey ?? '';
}

/** The actors of the received changes. */
function actorsOf({ changes }: TestListener): string[] {
  return changes.map(({ actorId }) => actorId);
}
