import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/platform/config/index.ts';
import { connect, examinePooler } from '../../../src/platform/db/index.ts';
import { rejectMigrationPooler, rejectPooler } from '../../../src/service/migrate-schema.ts';
import { createInstallation } from '../../operations/installation.ts';
import { type Pooler, startPgBouncer } from '../../support/database/pgbouncer.ts';
import { createPostgresDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { describeWith } from '../../support/run/components.ts';

describeWith('postgres', 'pgbouncer')('behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: Pooler;

  beforeAll(async () => {
    database = await createPostgresDatabase();
    pooler = await startPgBouncer(database.url ?? '');
  });
  afterAll(async () => {
    await pooler?.stop();
    await database?.drop();
  });

  test('a start rejects an undeclared pooler, and what the pooler does not support', async () => {
    const { url } = pooler;
    await expect(rejectPooler({ url, pooler: 'none' })).rejects.toMatchObject({ code: 'POOLER_NOT_DECLARED' });
    await expect(rejectPooler({ url, pooler: 'transaction-prepared' })).rejects.toMatchObject({
      code: 'POOLER_WITHOUT_PREPARED',
    });
    await expect(rejectMigrationPooler(url)).rejects.toMatchObject({ code: 'POOLER_ON_MIGRATION_URL' });
    await rejectPooler({ url, pooler: 'transaction' });
    await rejectPooler({ url: database.url, pooler: 'none' });
    await rejectMigrationPooler(database.url ?? '');
    expect(await examinePooler(database.url ?? '', 'none')).toEqual({ isPooled: false, problem: null });
  });

  test('every statement has its timeouts, inside and outside of a transaction, and leaves none behind', async () => {
    const { db, close } = await connect({ url: pooler.url, dataDir: null, poolSize: 4, pooler: 'transaction' });
    const read = sql<{ statement: string; idle: string }>`select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle`;
    const limits = [{ statement: '30s', idle: '30s' }];
    expect((await read.execute(db)).rows).toEqual(limits);
    expect((await db.transaction().execute((trx) => read.execute(trx))).rows).toEqual(limits);
    await expect(sql`select 1 / ${0}::int4`.execute(db)).rejects.toMatchObject({ code: '22012' });
    expect((await read.execute(db)).rows).toEqual(limits);
    const rolledBack = db.transaction().execute(async (trx) => {
      await sql`select 1 / ${0}::int4`.execute(trx);
    });
    await expect(rolledBack).rejects.toMatchObject({ code: '22012' });
    expect((await read.execute(db)).rows).toEqual(limits);
    await close();
  });

  test('actors that start at once over more connections than the server has all exist, with every step', async () => {
    const { db, close } = await connect({ url: pooler.url, dataDir: null, poolSize: 8, pooler: 'transaction' });
    const all = createInstallation({ db });
    const ids = await Promise.all(Array.from({ length: 40 }, () => all.startSchedule()));
    await Promise.all(
      ids.map((actorId) =>
        all.engine.deliver({ actorId, eventId: 'customer.confirmed', event: { type: 'customer.confirmed' } }),
      ),
    );
    const { rows } = await sql<{ steps: number }>`
      select count(*)::int4 as steps from journal_entry where actor_id = any(${ids})`.execute(db);
    expect(rows[0]?.steps).toBeGreaterThanOrEqual(2 * ids.length);
    await close();
  });
});

describe('DATABASE_POOLER', () => {
  const settings = { DATABASE_URL: 'postgres://a@pooler/q', DATABASE_POOLER: 'transaction' };

  test('needs a direct URL for the schema, unless a start does not migrate', () => {
    expect(() => loadConfig(settings)).toThrow(/DATABASE_POOLER: .*DATABASE_MIGRATION_URL/);
    expect(loadConfig({ ...settings, MIGRATE: 'off' }).database.pooler).toBe('transaction');
    const past = { ...settings, DATABASE_MIGRATION_URL: 'postgres://a@server/q' };
    expect(loadConfig(past).database.pooler).toBe('transaction');
  });

  test('is rejected without DATABASE_URL, because it has no effect', () => {
    expect(() => loadConfig({ DATABASE_POOLER: 'transaction' })).toThrow(/DATABASE_POOLER: has no effect/);
  });
});
