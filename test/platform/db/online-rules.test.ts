import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { describe, expect, it, test } from 'vitest';
import { fingerprintsOf, readReleased } from '../../../scripts/release/released.ts';
import { compareVersions } from '../../../src/platform/db/migrating/compare-release-versions.ts';
import type { SchemaMigration } from '../../../src/platform/db/migrating/types.ts';
import { MIGRATIONS } from '../../../src/platform/db/migrations.ts';
import { VERSION } from '../../../src/platform/version.ts';
import { complaintsAbout } from './online-rules.ts';

const RELEASED = readReleased();
const up = { takesAway: false, isTransaction: true };

describe('a schema change', () => {
  it.each([
    ['alter table payment alter column amount type numeric', 'writes the whole table anew'],
    ['alter table payment add column note text not null', 'give it a default'],
    ['alter table payment add column key uuid not null default gen_random_uuid()', 'another for each row'],
    ['alter table payment alter column note set not null', 'reads the whole table'],
    ['alter table payment add constraint c check (a > 0)', 'not valid'],
    ['alter table payment add foreign key (a) references b (a)', 'not valid'],
    ['alter table payment add constraint c unique (a)', 'using index'],
    ['alter table payment drop column note', 'compatibleFrom'],
    ['alter table payment rename column note to remark', 'compatibleFrom'],
    ['create unique index a on\n  payment (a)', '`indexes`'],
    ['create index concurrently a on payment (a)', 'cannot run in a transaction'],
    ['drop table payment', 'compatibleFrom'],
    ['update payment set a = 1', 'in batches'],
    ['lock table payment', 'keeps everybody'],
  ])('is rejected for %s', (statement, complaint) => {
    expect(complaintsAbout([statement], up).join('\n')).toContain(complaint);
  });

  it.each([
    ['alter table payment add column note text'],
    ['alter table payment add column tries int4 not null default 0'],
    ['alter table payment add constraint c check (a > 0) not valid'],
    ['alter table payment validate constraint c'],
    ['alter table payment add constraint c unique using index payment_a'],
    ['alter table plan alter column price type numeric'],
    ['create table toy (id int8 primary key generated always as identity, payment text references payment)'],
    ["insert into plan (tier) values ('x')"],
  ])('may be %s', (statement) => {
    expect(complaintsAbout([statement], up)).toEqual([]);
  });

  it('may do anything to a table it creates itself, and drop what it declares to drop', () => {
    expect(
      complaintsAbout(['create table toy (id int8)', 'create index toy_id on toy (id)', 'update toy set id = 1'], up),
    ).toEqual([]);
    expect(complaintsAbout(['alter table payment drop column note'], { ...up, takesAway: true })).toEqual([]);
    expect(complaintsAbout(['create index concurrently a on payment (a)'], { ...up, isTransaction: false })).toEqual(
      [],
    );
  });
});

describe('the schema changes since the last release', () => {
  // Before the first release there is no installation to keep running.
  const fresh = Object.entries(MIGRATIONS).filter(
    ([name]) => RELEASED.version !== null && !(`${name}.ts` in RELEASED.migrations),
  );

  test('can each be made while the service of that release runs', async () => {
    const complaints = await Promise.all(
      fresh.map(async ([name, migration]) => {
        const statements = await statementsOf(migration);
        const change = { takesAway: migration.compatibleFrom !== undefined, isTransaction: 'up' in migration };
        return complaintsAbout(statements, change).map((complaint) => `${name}: ${complaint}`);
      }),
    );
    expect(complaints.flat()).toEqual([]);
  });

  test('come after those of the release, and name no version that does not exist yet', () => {
    const released = Object.keys(RELEASED.migrations).filter((path) => /^\d/.test(path));
    const newest = released.sort().at(-1)?.replace('.ts', '') ?? '';
    for (const [name, { compatibleFrom }] of fresh) {
      expect(name > newest, `${name} must come after ${newest}`).toBe(true);
      if (compatibleFrom !== undefined) expect(compareVersions(compatibleFrom, VERSION), name).toBeLessThanOrEqual(0);
    }
  });

  test('leave those of the release unchanged: existing installations already have them', () => {
    const present = fingerprintsOf('migrations');
    for (const [name, fingerprint] of Object.entries(RELEASED.migrations)) {
      expect(present[name], `${name} was released and is never edited, renamed or removed`).toBe(fingerprint);
    }
  });
});

test('the statements of a change can be listed without running it', async () => {
  const [first] = Object.values(MIGRATIONS);
  if (first === undefined) throw new Error('there are no changes');
  const statements = await statementsOf(first);
  expect(statements.some((text) => /create table actor/.test(text))).toBe(true);
});

// Helpers

/** The statements a migration sends, recorded on a database that answers nothing. */
async function statementsOf(migration: SchemaMigration): Promise<string[]> {
  if ('indexes' in migration) return migration.indexes.map(({ statement }) => statement);
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (each) => new PostgresIntrospector(each),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }: { query: CompiledQuery }) => void statements.push(query.sql),
  });
  await migration.up(db);
  return statements;
}
