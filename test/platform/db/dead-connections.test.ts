import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Connection, connect, liftTimeouts } from '../../../src/platform/db/index.ts';
import { createDatabaseLine } from '../../support/database/database-line.ts';
import { openConnections } from '../../support/database/open-connections.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { deferred } from '../../support/deferred.ts';
import type { TcpProxy } from '../../support/outside/tcp-proxy.ts';

const SOON = { suspectAfterMs: 200, responseWithinMs: 60_000, closeWithinMs: 300, pollEveryMs: 50 };
const UNAVAILABLE = { name: 'RetryableError', code: 'DATABASE_UNAVAILABLE' };
const CONNECTIONS = 4;

describePostgres('connections that go silent', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let url: string;
  let connection: Connection;

  beforeEach(async () => {
    database = await createPostgresDatabase();
    const reached = await createDatabaseLine(database);
    proxy = reached.line;
    url = reached.url;
    connection = await open();
  });
  afterEach(async () => {
    await connection.close();
    await proxy.close();
    await database.drop();
  });

  async function open(limits: Partial<typeof SOON> = {}): Promise<Connection> {
    return connect({ url, dataDir: null, poolSize: CONNECTIONS, deadConnections: { ...SOON, ...limits } });
  }

  const ask = () => sql`select 1`.execute(connection.db);

  /** Opens every connection of the pool, idle. */
  async function openAll(): Promise<void> {
    await openConnections(connection.db, CONNECTIONS);
    expect(connection.poolUse()).toMatchObject({ open: CONNECTIONS, idle: CONNECTIONS });
  }

  test('are kept alive by TCP', async () => {
    await openAll();
    // What the kernel keeps of each of the pool's sockets, which lead to the proxy.
    const to = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
    const sockets = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
    const ours = sockets.map((line) => line.trim().split(/\s+/)).filter((each) => each[2]?.endsWith(`:${to}`));
    const established = ours.filter((each) => each[3] === '01');
    expect(established.length).toBeGreaterThanOrEqual(CONNECTIONS);
    // proc(5): timer 02 is keepalive.
    expect(established.filter((each) => !each[5]?.startsWith('02:'))).toEqual([]);
  });

  test('fail one statement, and the next ones get new connections', async () => {
    await openAll();
    expect(proxy.silence()).toBe(CONNECTIONS);
    await expect(ask()).rejects.toMatchObject(UNAVAILABLE);
    await Promise.all(Array.from({ length: CONNECTIONS }, ask));
    expect(await connection.isHealthy()).toBe(true);
  });

  test('leave no locks behind in the server', async () => {
    const gate = 'locked';
    await connection.db.insertInto('watermark').values({ gate, reached_at: null, height: 1 }).execute();
    const raise = (db: Connection['db']) => db.updateTable('watermark').set({ height: 2 }).where('gate', '=', gate);
    const [locked, isSilent] = [deferred(), deferred()];
    const working = connection.db.transaction().execute(async (trx) => {
      await raise(trx).execute();
      locked.resolve();
      await isSilent.promise;
      await raise(trx).execute();
    });
    await locked.promise;
    proxy.silence();
    isSilent.resolve();
    await expect(working).rejects.toMatchObject(UNAVAILABLE);
    await raise(connection.db).execute();
    expect(await connection.db.selectFrom('watermark').selectAll().where('gate', '=', gate).execute()).toMatchObject([
      { height: 2 },
    ]);
  });

  test('are distinguished from a slow statement', async () => {
    // Longer than the time after which a silent connection is suspected.
    await sql`select pg_sleep(1.5)`.execute(connection.db);
    expect(connection.poolUse()).toMatchObject({ open: 1, idle: 1 });
  });

  test('are given up at the latest when any statement would have timed out, even if no server can be asked', async () => {
    await connection.close();
    connection = await open({ responseWithinMs: 300 });
    await ask();
    proxy.freeze();
    await expect(ask()).rejects.toMatchObject(UNAVAILABLE);
  });

  test('are not confused with work that has lifted the statement timeout', async () => {
    await connection.close();
    connection = await open({ responseWithinMs: 300 });
    const sleepIn = (lift: boolean) =>
      connection.db.transaction().execute(async (trx) => {
        if (lift) await liftTimeouts(trx);
        // Longer than the response may take.
        await sql`select pg_sleep(1.5)`.execute(trx);
      });
    await sleepIn(true);
    await expect(sleepIn(false)).rejects.toMatchObject(UNAVAILABLE);
  });

  test('do not prevent a process from closing them', async () => {
    await connection.close();
    connection = await open({ suspectAfterMs: 60_000 });
    await ask();
    proxy.freeze();
    const waiting = ask();
    await expect.poll(() => connection.poolUse()).toMatchObject({ open: 1, idle: 0 });
    const closed = connection.close();
    await expect(waiting).rejects.toMatchObject(UNAVAILABLE);
    await closed;
    connection = await open();
  });
});
