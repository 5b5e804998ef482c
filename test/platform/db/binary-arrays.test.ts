import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { arrayEncoderOf } from '../../../src/platform/db/binary-arrays.ts';
import { createPostgresDatabase, describePostgres } from '../../support/database/test-database.ts';
import { level } from '../../support/run/level.ts';

type TestDatabase = Awaited<ReturnType<typeof createPostgresDatabase>>;

describePostgres('Arrays sent in binary form', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresDatabase();
  });
  afterAll(() => database.drop());

  const texts = fc.array(
    fc.option(fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', ',', 'ä', '€', '😀', ' ') })),
  );
  const int8s = fc.array(fc.option(fc.maxSafeInteger()));
  const int4s = fc.array(fc.option(fc.integer()));

  it('arrive as they were, element by element, with their nulls and when empty', async () => {
    await fc.assert(
      fc.asyncProperty(texts, int8s, int4s, async (words, large, small) => {
        const { rows } = await sql<{ words: unknown; large: unknown; small: unknown }>`
          select to_json(${words}::text[]) as words, to_json(${large}::int8[]) as large, to_json(${small}::int4[]) as small
          where 'a' = any(${['a']}::text[])`.execute(database.db);
        expect(rows).toEqual([{ words, large, small }]);
      }),
      { numRuns: level.runs(1_000) },
    );
  });

  it('that hold something else than their type says are left to the server, which refuses them', async () => {
    const [encoded] = arrayEncoderOf('select $1::int8[]')([[1, 2.5]]);
    expect(encoded).toEqual([1, 2.5]);
    expect(arrayEncoderOf('select $1::int4[]')([[2 ** 31]])).toEqual([[2 ** 31]]);
    expect(arrayEncoderOf('select $1::text[]')([[{ a: 1 }]])).toEqual([[{ a: 1 }]]);
    await expect(
      sql`select any_of from unnest(${[1, 2.5]}::int8[]) as any_of`.execute(database.db),
    ).rejects.toMatchObject({
      code: '22P02',
    });
    await expect(sql`select unnest(${['a\u0000b']}::text[])`.execute(database.db)).rejects.toMatchObject({
      code: '22021',
    });
  });
});
