import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Connection, connect } from '../../../src/platform/db/index.ts';
import { rejectForeignSchema, rejectOutdatedSchema } from '../../../src/platform/db/migrating/check-schema.ts';
import { runMigrations } from '../../../src/platform/db/migrating/run-migrations.ts';
import { readSchemaState } from '../../../src/platform/db/migrating/schema-state.ts';
import { createEmptyDatabase, describePostgres } from '../../support/database/test-database.ts';
import { describeFull } from '../../support/run/skip.ts';
import { FIRST_RELEASE, SECOND_RELEASE, THIRD_RELEASE } from './sample-schema.ts';

const PARCELS = 40;

describePostgres('a database of a previous release, on Postgres', () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
  beforeEach(async () => {
    database = await createEmptyDatabase();
  });
  afterEach(() => database.drop());
  migrates(() => connect({ url: database.url, dataDir: null, poolSize: 2 }));
});

describeFull('a database of a previous release, the embedded one', () => {
  migrates(() => connect({ url: null, dataDir: null, poolSize: 1 }));
});

// Helpers

function migrates(open: () => Promise<Connection>): void {
  let connection: Connection;
  let db: Kysely<unknown>;
  beforeEach(async () => {
    connection = await open();
    db = connection.db as Kysely<unknown>;
    await runMigrations(db, FIRST_RELEASE);
    // One parcel a fortnight, over a year and a half.
    await sql`
      insert into parcel (id, shop, sent_at)
      select 'p' || n, 'shop ' || n % 3, now() - n * interval '14 days' from generate_series(1, ${PARCELS}::int4) as n`.execute(
      db,
    );
  });
  afterEach(() => connection.close());

  test('keeps every row through the later releases, also where they partition its table by month', async () => {
    const before = await rowsOf(db, 'id, shop, sent_at');
    expect(before).toHaveLength(PARCELS);
    expect(await runMigrations(db, THIRD_RELEASE)).toEqual(Object.keys(THIRD_RELEASE).slice(1));
    expect(await rowsOf(db, 'id, shop, sent_at')).toEqual(before);
    const { rows } = await sql<{ odd: number; months: number; unplaced: number }>`
      select count(*) filter (where weight <> 1 or label is distinct from shop || ' ' || id)::int4 as odd,
        count(distinct tableoid)::int4 as months, (select count(*)::int4 from parcel_default) as unplaced
      from parcel`.execute(db);
    expect(rows).toEqual([{ odd: 0, months: expect.any(Number), unplaced: 0 }]);
    expect(rows[0]?.months).toBeGreaterThan(12);
    expect(await runMigrations(db, THIRD_RELEASE)).toEqual([]);
  });

  test('serves that release next to the new one, until a change removes what it needs', async () => {
    await runMigrations(db, SECOND_RELEASE);
    const beside = await readSchemaState(db, FIRST_RELEASE);
    rejectOutdatedSchema(beside, '0.1.0');
    expect(await runMigrations(db, FIRST_RELEASE)).toEqual([]);
    await sql`insert into parcel (id, shop, sent_at) values ('late', 'shop 1', now())`.execute(db);
    expect(await rowsOf(db, 'id, weight')).toContainEqual({ id: 'late', weight: 1 });

    await runMigrations(db, THIRD_RELEASE);
    const after = await readSchemaState(db, FIRST_RELEASE);
    expect(() => rejectForeignSchema(after, '0.1.0')).toThrowError(
      expect.objectContaining({ code: 'SCHEMA_TOO_NEW', message: expect.stringContaining('requires 0.3.0 or newer') }),
    );
    rejectForeignSchema(after, '0.3.0');
  });
}

async function rowsOf(db: Kysely<unknown>, columns: string): Promise<unknown[]> {
  const { rows } = await sql`select ${sql.raw(columns)} from parcel order by id`.execute(db);
  return rows;
}
