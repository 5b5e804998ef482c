import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { classifyDatabaseError, connect, migrate, schemaStateOf } from '../../../src/platform/db/index.ts';
import { MIGRATIONS } from '../../../src/platform/db/migrations.ts';
import { messageOf } from '../../../src/platform/errors.ts';
import { unpackEmbeddedTemplate } from '../../support/database/embedded-template.ts';
import {
  allowConnections,
  createEmptyDatabase,
  createPostgresDatabase,
  describeBothDatabases,
  describePostgres,
  type TestDatabase,
} from '../../support/database/test-database.ts';

describeBothDatabases('the schema', (database) => {
  test('is migrated once; repeating it changes nothing', async () => {
    expect(await migrate(database().db)).toEqual([]);
  });

  test('a failed transaction leaves nothing, and the connection remains usable', async () => {
    const { db } = database();
    const gate = 'gate-of-a-failed-transaction';
    const failing = db.transaction().execute(async (trx) => {
      await trx.insertInto('watermark').values({ gate, reached_at: null, height: 1 }).execute();
      await sql`select 1 / 0`.execute(trx);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await db.selectFrom('watermark').selectAll().where('gate', '=', gate).execute()).toEqual([]);
  });

  test('concurrent transactions all finish', async () => {
    const { db } = database();
    const gates = Array.from({ length: 20 }, (_, index) => `together-${index}`);
    await Promise.all(
      gates.map((gate) =>
        db
          .transaction()
          .execute((trx) => trx.insertInto('watermark').values({ gate, reached_at: null, height: 1 }).execute()),
      ),
    );
    const found = await db.selectFrom('watermark').select('gate').where('gate', 'in', gates).execute();
    expect(found).toHaveLength(gates.length);
  });
});

describePostgres('a database server', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresDatabase();
  });
  afterAll(() => database.drop());

  test('may be migrated by several processes at once: each migration is applied once', async () => {
    const empty = await createEmptyDatabase();
    onTestFinished(() => empty.drop());
    const options = { url: empty.url, dataDir: null, poolSize: 2 };
    const connections = await Promise.all([connect(options), connect(options), connect(options)]);
    onTestFinished(async () => void (await Promise.all(connections.map((connection) => connection.close()))));
    const applied = await Promise.all(connections.map(({ db }) => migrate(db)));
    expect(applied.flat().sort()).toEqual(Object.keys(MIGRATIONS).sort());
    for (const { db } of connections) {
      expect(await schemaStateOf(db)).toMatchObject({ pending: [], unknown: [], skipped: [] });
    }
  });

  test('that closes a connection in use fails the query, not the process, and the next query works', async () => {
    const killed = sql`select pg_terminate_backend(pg_backend_pid())`.execute(database.db);
    await expect(killed).rejects.toMatchObject({ name: 'RetryableError', code: 'DATABASE_UNAVAILABLE' });
    await expect.poll(() => database.isHealthy()).toBe(true);
  });

  test('that is unreachable is distinguished from a bug', async () => {
    const nowhere = await connect({ url: 'postgres://postgres@127.0.0.1:1/none', dataDir: null, poolSize: 1 });
    expect(await nowhere.isHealthy()).toBe(false);
    const named = await connect({ url: 'postgres://postgres@localhost:1/none', dataDir: null, poolSize: 1 });
    const rejected: unknown = await sql`select 1`.execute(named.db).catch((error: unknown) => error);
    expect(messageOf(rejected)).toMatch(/unavailable.*ECONNREFUSED/);
    await named.close();
    await expect(sql`select 1`.execute(nowhere.db)).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
    });
    await nowhere.close();
    await expect(sql`select 1`.execute(nowhere.db)).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
    });
    expect(classifyDatabaseError(new TypeError('x is not a function'))).toBe('other');
    expect(classifyDatabaseError(Object.assign(new Error('deadlock detected'), { code: '40P01' }))).toBe('conflict');
  });

  test.each([
    ['there is no such database', (url: URL) => Object.assign(url, { pathname: '/no_such_database' })],
    ['it does not know the role', (url: URL) => Object.assign(url, { username: 'no_such_role', password: 'no' })],
  ])('that gives no connection because %s is reported as unreachable, not as a bug', async (_, spoil) => {
    const { href } = spoil(new URL(database.url ?? ''));
    const rejected = await connect({ url: href, dataDir: null, poolSize: 1 });
    await expect(sql`select 1`.execute(rejected.db)).rejects.toMatchObject({
      name: 'RetryableError',
      code: 'DATABASE_UNAVAILABLE',
    });
    await rejected.close();
  });

  test('that accepts no connection for now is reported as unreachable, whatever the code; the same code from a statement is a bug', async () => {
    await allowConnections(database.url ?? '', false);
    const rejected = await connect({ url: database.url, dataDir: null, poolSize: 1 });
    const rejection: unknown = await sql`select 1`.execute(rejected.db).catch((error: unknown) => error);
    expect(rejection).toMatchObject({ code: 'DATABASE_UNAVAILABLE', cause: { code: '55000' } });
    expect(classifyDatabaseError(rejection)).toBe('unavailable');
    await allowConnections(database.url ?? '', true);
    const bug: unknown = await sql`select lastval()`.execute(database.db).catch((error: unknown) => error);
    expect(bug).toMatchObject({ code: '55000' });
    expect(classifyDatabaseError(bug)).toBe('other');
    await rejected.close();
  });

  test.each(['58000', '58030', '58P01', 'XX000', '26000', '42P05', '0A000'])(
    'with an internal error (%s) is retryable',
    async (code) => {
      const raise = sql.raw(`do $$ begin raise exception 'trouble' using errcode = '${code}'; end $$`);
      const error: unknown = await raise.execute(database.db).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ name: 'RetryableError', cause: { code } });
      expect(classifyDatabaseError(error)).toBe('transient');
    },
  );

  test.each([
    ['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['unable to verify the first certificate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['certificate has expired', 'CERT_HAS_EXPIRED'],
    ["Hostname/IP does not match certificate's altnames", 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['connect EMFILE 127.0.0.1:5432', 'EMFILE'],
    ['connect EADDRNOTAVAIL 127.0.0.1:5432', 'EADDRNOTAVAIL'],
    ['The server does not support SSL connections', undefined],
    ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', undefined],
  ])('to which no connection can be made is reported as unreachable: %s', (message, code) => {
    const failure = code === undefined ? new Error(message) : Object.assign(new Error(message), { code });
    expect(classifyDatabaseError(failure)).toBe('unavailable');
  });
});

describe('the embedded database', () => {
  test('keeps committed data in its folder', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'quittance-database-'));
    try {
      await unpackEmbeddedTemplate(dataDir);
      const first = await connect({ url: null, dataDir, poolSize: 1 });
      await first.db.insertInto('watermark').values({ gate: 'kept', reached_at: null, height: 7 }).execute();
      await first.close();
      const second = await connect({ url: null, dataDir, poolSize: 1 });
      expect(await second.db.selectFrom('watermark').selectAll().execute()).toMatchObject([
        { gate: 'kept', height: 7 },
      ]);
      await second.close();
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
