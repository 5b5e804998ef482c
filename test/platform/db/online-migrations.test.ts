import { type Kysely, sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkSchema, connect, type Database, migrate, schemaStateOf } from '../../../src/platform/db/index.ts';
import { rejectForeignSchema, rejectOutdatedSchema } from '../../../src/platform/db/migrating/check-schema.ts';
import { compareVersions } from '../../../src/platform/db/migrating/compare-release-versions.ts';
import { runMigrations } from '../../../src/platform/db/migrating/run-migrations.ts';
import type { MigrateOptions, SchemaMigration } from '../../../src/platform/db/migrating/types.ts';
import { MIGRATIONS } from '../../../src/platform/db/migrations.ts';
import { VERSION } from '../../../src/platform/version.ts';
import {
  createPostgresDatabase,
  describeBothDatabases,
  describePostgres,
} from '../../support/database/test-database.ts';

const FUTURE = '2099_01_01_0000_of_a_test';
const LATER = '2099_01_02_0000_of_a_test';

describeBothDatabases('schema changes', (database) => {
  beforeEach(async () => {
    const { db } = database();
    await sql`delete from kysely_migration where name like '2099%'`.execute(db);
    await sql`update schema_compatibility set compatible_from = '0.1.0', changed_by = null`.execute(db);
    await sql`drop table if exists toy`.execute(db);
    await sql`create table toy (id int4 primary key, shade text)`.execute(db);
    await sql`insert into toy select n, 'shade ' || n from generate_series(1, 100) as n`.execute(db);
  });

  test('are committed one by one: those before a failure stay, and are not repeated', async () => {
    const { db } = database();
    const broken: SchemaMigration = { up: async (trx) => void (await sql`select 1 / 0`.execute(trx)) };
    const run = runAll(db, { [FUTURE]: adds('tint'), [LATER]: broken });
    await expect(run).rejects.toMatchObject({ message: expect.stringContaining(`"${LATER}" failed`) });
    expect(await columnsOfToy(db)).toContain('tint');
    expect(await runAll(db, { [FUTURE]: adds('tint'), [LATER]: adds('gloss') })).toEqual([LATER]);
  });

  test('may build indexes outside of a transaction, once', async () => {
    const { db } = database();
    const change = { [FUTURE]: indexes('create index concurrently toy_shade on toy (shade)') };
    expect(await runAll(db, change)).toEqual([FUTURE]);
    expect(await isValid(db)).toBe(true);
    expect(await runAll(db, change)).toEqual([]);
  });

  test('remove an index that an earlier attempt left invalid, and build it again', async () => {
    const { db } = database();
    const change = { [FUTURE]: indexes('create unique index concurrently toy_shade on toy (shade)') };
    await sql`insert into toy values (1000, 'shade 1')`.execute(db);
    await expect(runAll(db, change)).rejects.toThrow(FUTURE);
    expect(await isValid(db)).toBe(false);
    await sql`delete from toy where id = 1000`.execute(db);
    expect(await runAll(db, change)).toEqual([FUTURE]);
    expect(await isValid(db)).toBe(true);
  });

  test('record who made them and which versions can run on the result, which never decreases', async () => {
    const { db } = database();
    await runAll(db, { [FUTURE]: { ...adds('tint'), compatibleFrom: '0.4.0' } });
    const expected = { compatibleFrom: '0.4.0', changedBy: VERSION };
    expect((await schemaStateOf(db)).compatibility).toEqual(expected);
    await runAll(db, { [FUTURE]: adds('tint'), [LATER]: { ...adds('gloss'), compatibleFrom: '0.2.0' } });
    expect((await schemaStateOf(db)).compatibility).toEqual(expected);
  });

  test('of a newer version that this one is compatible with are left alone', async () => {
    const { db } = database();
    await runAll(db, { [FUTURE]: adds('tint') });
    expect(await migrate(db)).toEqual([]);
    await checkSchema(db);
  });

  test('that this version cannot run on are rejected with both versions and the remedy', async () => {
    const { db } = database();
    await runAll(db, { [FUTURE]: { ...adds('tint'), compatibleFrom: '7.1.0' } });
    for (const reject of [migrate, checkSchema]) {
      const error: unknown = await reject(db).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'TerminalError', code: 'SCHEMA_TOO_NEW' });
      expect(String(error)).toMatch(`requires 7.1.0 or newer; this is ${VERSION}. Start 7.1.0 or newer`);
      expect(String(error)).toContain('restore the backup');
    }
  });

  test('that are missing are named when a start may not make them', async () => {
    const { db } = database();
    const newest = Object.keys(MIGRATIONS).sort().at(-1) ?? '';
    await sql`delete from kysely_migration where name = ${newest}`.execute(db);
    await expect(checkSchema(db)).rejects.toMatchObject({
      code: 'SCHEMA_OUTDATED',
      message: expect.stringMatching(`"${newest}".*Run "quittance migrate" of this version`),
    });
    await sql`insert into kysely_migration values (${newest}, '2026-11-22T00:00:00.000Z')`.execute(db);
    await checkSchema(db);
  });

  test('from before the first release are rejected: their databases are not migrated', async () => {
    const { db } = database();
    const former = '2026_11_21_1000_create_engine';
    const [initial = ''] = Object.keys(MIGRATIONS);
    await sql`update kysely_migration set name = ${former} where name = ${initial}`.execute(db);
    for (const reject of [migrate, checkSchema]) {
      await expect(reject(db)).rejects.toMatchObject({
        code: 'SCHEMA_DIVERGED',
        message: expect.stringMatching(new RegExp(`"${initial}".*"${former}"`)),
      });
    }
    await sql`update kysely_migration set name = ${initial} where name = ${former}`.execute(db);
    await checkSchema(db);
  });
});

describe('a schema of another version history', () => {
  const compatibility = { compatibleFrom: '0.1.0', changedBy: '0.9.0' };
  test.each([
    { pending: ['b'], unknown: ['c'], skipped: [] },
    { pending: ['b'], unknown: [], skipped: ['b'] },
  ])('is rejected: %o', (state) => {
    const reject = () => rejectForeignSchema({ ...state, compatibility });
    expect(reject).toThrowError(expect.objectContaining({ code: 'SCHEMA_DIVERGED' }));
    expect(reject).toThrow(/"b".*0\.9\.0/);
  });

  test('is distinguished from one that is merely behind', () => {
    const state = { pending: ['b', 'c'], unknown: [], skipped: [], compatibility };
    rejectForeignSchema(state);
    expect(() => rejectOutdatedSchema(state)).toThrow(/lacks 2 migrations/);
  });
});

test('versions are compared numerically, and a pre-release comes before its release', () => {
  const sorted = ['0.9.9', '0.10.0', '1.0.0-rc.1', '1.0.1', '10.0.0'];
  expect(sorted.toReversed().toSorted(compareVersions)).toEqual(sorted);
  expect(compareVersions('1.0.0-rc.1', '1.0.0')).toBe(0);
  expect(() => compareVersions('1.0', '1.0.0')).toThrow('"1.0" is not a version');
});

describePostgres('a schema change, on a server in use,', () => {
  test('yields to other sessions while a long transaction holds its table, and is made after it', async () => {
    const database = await createPostgresDatabase();
    const { db } = database;
    const waits: string[] = [];
    const reader = await holdTable(db);
    const running = runAll(db, watermarkChange, {
      lockTimeoutMs: 50,
      pausesMs: Array<number>(10_000).fill(50),
      onWait,
    });
    function onWait(reason: string): void {
      waits.push(reason);
    }
    // Each of these queries would block behind a migration that waits without a lock timeout.
    await expect
      .poll(async () => {
        await db.selectFrom('watermark').selectAll().execute();
        return waits.length;
      })
      .toBeGreaterThan(3);
    expect(waits[0]).toContain('is in use');
    await reader.release();
    expect(await running).toEqual([FUTURE]);
    await database.drop();
  });

  test('gives up in the end, names the remedy, and has changed nothing', async () => {
    const database = await createPostgresDatabase();
    const { db } = database;
    const reader = await holdTable(db);
    await expect(runAll(db, watermarkChange, { lockTimeoutMs: 20, pausesMs: [1, 1] })).rejects.toMatchObject({
      name: 'TerminalError',
      code: 'SCHEMA_LOCKED',
      message: expect.stringMatching(/in 3 attempts.*pg_stat_activity/),
    });
    await reader.release();
    expect((await schemaStateOf(db)).unknown).toEqual([]);
    await database.drop();
  });

  test('builds an index in several processes at once without a deadlock, while rows are written', async () => {
    const database = await createPostgresDatabase();
    const options = { url: database.url, dataDir: null, poolSize: 2 };
    const others = await Promise.all([connect(options), connect(options), connect(options)]);
    const change = { [FUTURE]: indexes('create index concurrently toy_shade on watermark (height)') };
    let isDone = false;
    const writing = (async () => {
      for (let height = 0; !isDone; height += 1) {
        const gate = `gate-${height}`;
        await database.db.insertInto('watermark').values({ gate, reached_at: null, height }).execute();
      }
    })();
    const applied = await Promise.all(others.map(({ db }) => runAll(db, change)));
    isDone = true;
    await writing;
    expect(applied.toSorted((one, other) => one.length - other.length)).toEqual([[], [], [FUTURE]]);
    expect(await isValid(database.db)).toBe(true);
    await Promise.all(others.map((other) => other.close()));
    await database.drop();
  });
});

// Helpers

function runAll(
  db: Kysely<Database>,
  more: Readonly<Record<string, SchemaMigration>>,
  options: MigrateOptions = {},
): Promise<string[]> {
  return runMigrations(db as Kysely<unknown>, { ...MIGRATIONS, ...more }, options);
}

function adds(column: string): SchemaMigration {
  return { up: async (trx) => void (await sql`alter table toy add column ${sql.id(column)} text`.execute(trx)) };
}

const watermarkChange: Readonly<Record<string, SchemaMigration>> = {
  [FUTURE]: { up: async (trx) => void (await sql`alter table watermark add column tint text`.execute(trx)) },
};

function indexes(statement: string): SchemaMigration {
  return { indexes: [{ name: 'toy_shade', statement }] };
}

async function isValid(db: Kysely<Database>): Promise<boolean | undefined> {
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass('toy_shade')`.execute(db);
  return rows[0]?.valid;
}

async function columnsOfToy(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = 'toy'::regclass and attnum > 0`.execute(db);
  return rows.map(({ name }) => name);
}

/** A transaction that has read the table and stays open: changing the table waits for its end. */
async function holdTable(db: Kysely<Database>): Promise<{ release(): Promise<void> }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let transaction: Promise<void> = Promise.resolve();
  await new Promise<void>((holding) => {
    transaction = db.transaction().execute(async (trx) => {
      await trx.selectFrom('watermark').selectAll().execute();
      holding();
      await released;
    });
  });
  return {
    async release() {
      release();
      await transaction;
    },
  };
}
