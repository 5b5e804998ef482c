import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../../src/platform/db/index.ts';
import { ID_KINDS, newId } from '../../../src/platform/ids.ts';
import { createEmbeddedDatabase } from '../../support/database/embedded-database.ts';
import { createPostgresDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { describeWith } from '../../support/run/components.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';

/** Text named like an id, or in an index, that is compared as people read it. */
const READ_BY_PEOPLE: Readonly<Record<string, string>> = {
  'merchant.name': 'a name; unique',
  'merchant_user.password_hash': 'a salted hash with its parameters, which is never looked up',
  'operator_action.who': 'a name or an email address',
  'derivation_key.extended_public_key': 'a long value, found by its fingerprint',
};

/** Names of columns that hold ids, hashes, keys and addresses, whether indexed or not. */
const NAMED_LIKE_AN_ID = /(^|_)(id|hash|key|txid|slug)$|^(deposit_)?address$/;

for (const kind of ['embedded', 'postgres'] as const) {
  const suite = kind === 'embedded' ? describeWith() : describeWith('postgres');
  suite(`the collations of the schema, ${kind}`, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = kind === 'embedded' ? await createEmbeddedDatabase() : await createPostgresDatabase();
    });
    afterAll(() => database.drop());

    test('compare ids and all indexed text byte by byte, except what people read', async () => {
      const columns = await textColumnsOf(database.db);
      const others = columns.filter((column) => column.collation !== 'C');
      const wrong = others.filter(({ name, isIndexed }) => isIndexed || NAMED_LIKE_AN_ID.test(name));
      expect(wrong.map(({ table, name }) => `${table}.${name}`)).toEqual(Object.keys(READ_BY_PEOPLE).sort());
    });

    test('are the same for every column of the same name that holds ids or states', async () => {
      const columns = await textColumnsOf(database.db);
      const bytewise = new Set(columns.filter(({ collation }) => collation === 'C').map(({ name }) => name));
      const mixed = columns.filter(({ name, collation }) => bytewise.has(name) && collation !== 'C');
      expect(mixed.map(({ table, name }) => `${table}.${name}`)).toEqual(NAMES_AND_SUBJECTS);
    });

    test('sort ids by the time they were made, and all ids as this process does', async () => {
      const times = fc.array(fc.integer({ min: 0, max: 2 ** 48 - 1 }), { minLength: 2, maxLength: 50 });
      await assertAsyncProperty(
        fc.asyncProperty(fc.uniqueArray(fc.uuid(), { maxLength: 5 }), times, async (uuids, made) => {
          const ids = [...new Set(made)].sort((a, b) => a - b).map((time) => idAt(time));
          expect(await sortedInDatabase(database.db, ids.toReversed())).toEqual(ids);
          const all = [...uuids, ...ids, ...ID_KINDS.map((name) => newId(name))];
          expect(await sortedInDatabase(database.db, all)).toEqual(all.sort());
        }),
      );
    });

    test('of foreign keys are those of the keys they refer to', async () => {
      const { rows } = await sql<{ conname: string }>`
        select conname from pg_constraint
        cross join lateral unnest(conkey, confkey) as pair (own, other)
        join pg_attribute as own on own.attrelid = conrelid and own.attnum = pair.own
        join pg_attribute as other on other.attrelid = confrelid and other.attnum = pair.other
        where contype = 'f' and own.attcollation <> other.attcollation`.execute(database.db);
      expect(rows).toEqual([]);
    });
  });
}

// Helpers

/** Columns that share only their name with a key: names of people and subjects of emails. */
const NAMES_AND_SUBJECTS = ['api_key.name', 'mail.subject', 'merchant.name'];

function idAt(time: number): string {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(time);
  try {
    return newId('txn');
  } finally {
    clock.mockRestore();
  }
}

/** By a column of ids. */
async function sortedInDatabase(db: Kysely<Database>, ids: readonly string[]): Promise<string[]> {
  await sql`delete from transaction_metadata`.execute(db);
  await sql`
    insert into transaction_metadata (value_hash, transaction_id)
    select 1, id from unnest(${[...ids]}::text[]) as made (id)`.execute(db);
  const { rows } = await sql<{ id: string }>`
    select transaction_id as id from transaction_metadata order by transaction_id`.execute(db);
  return rows.map(({ id }) => id);
}

interface TextColumn {
  readonly table: string;
  readonly name: string;
  readonly collation: string;
  readonly isIndexed: boolean;
}

/**
 * The text columns of all tables and partitions, sorted. Expressions like `lower(email)` index no
 * column.
 */
async function textColumnsOf(db: Kysely<Database>): Promise<TextColumn[]> {
  const { rows } = await sql<TextColumn>`
    select relname as table, attname as name, collname as collation,
      exists (select from pg_index where indrelid = attrelid and attnum = any(indkey)) as "isIndexed"
    from pg_attribute join pg_class on pg_class.oid = attrelid join pg_collation on pg_collation.oid = attcollation
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and atttypid = 'text'::regtype
      and not relname like 'kysely%' and relname <> 'schema_compatibility'
    order by relname collate "C", attname collate "C"`.execute(db);
  return rows;
}
