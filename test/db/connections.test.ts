import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { classifyDatabaseError, connect, migrate, whileDatabaseAnswers } from '../../src/db/index.ts';
import { createPostgresDatabase, describeBothDatabases, describePostgres } from '../support/database.ts';

describeBothDatabases('The schema', (database) => {
  test('is brought up to date once; doing it again changes nothing', async () => {
    expect(await migrate(database().db)).toEqual([]);
  });

  test('a failed transaction leaves nothing, and the connection usable', async () => {
    const { db } = database();
    const gate = 'gate-of-a-failed-transaction';
    const failing = db.transaction().execute(async (trx) => {
      await trx.insertInto('watermark').values({ gate, reached_at: null, height: 1 }).execute();
      await sql`select 1 / 0`.execute(trx);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await db.selectFrom('watermark').selectAll().where('gate', '=', gate).execute()).toEqual([]);
  });

  test('transactions begun together all end', async () => {
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

describePostgres('A database server', () => {
  test('may be migrated by several processes at once', async () => {
    const database = await createPostgresDatabase();
    const options = { url: database.url, dataDir: null, poolSize: 2 };
    const connections = await Promise.all([connect(options), connect(options), connect(options)]);
    await Promise.all(connections.map(({ db }) => migrate(db)));
    await Promise.all(connections.map((connection) => connection.close()));
    await database.drop();
  });

  test('that ends a connection in use fails the query, not the process, and the next query works', async () => {
    const database = await createPostgresDatabase();
    const killed = whileDatabaseAnswers(() => sql`select pg_terminate_backend(pg_backend_pid())`.execute(database.db));
    await expect(killed).rejects.toMatchObject({ name: 'RetryableError', code: 'DATABASE_UNAVAILABLE' });
    await expect.poll(() => database.isHealthy()).toBe(true);
    await database.drop();
  });

  test('that is not there is told from a bug', async () => {
    const nowhere = await connect({ url: 'postgres://postgres@127.0.0.1:1/none', dataDir: null, poolSize: 1 });
    expect(await nowhere.isHealthy()).toBe(false);
    await expect(whileDatabaseAnswers(() => sql`select 1`.execute(nowhere.db))).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
    });
    await nowhere.close();
    await expect(whileDatabaseAnswers(() => sql`select 1`.execute(nowhere.db))).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
    });
    expect(classifyDatabaseError(new TypeError('x is not a function'))).toBe('other');
    expect(classifyDatabaseError(Object.assign(new Error('deadlock detected'), { code: '40P01' }))).toBe('conflict');
  });
});

describe('The embedded database', () => {
  test('keeps what was committed in its folder', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'quittance-database-'));
    try {
      const first = await connect({ url: null, dataDir, poolSize: 1 });
      await migrate(first.db);
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
