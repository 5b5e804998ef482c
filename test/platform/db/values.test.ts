import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeBothDatabases } from '../../support/database/test-database.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';

describeBothDatabases('values from the database', (database) => {
  const read = async (expression: string) => {
    const { rows } = await sql<{ value: unknown }>`select ${sql.raw(expression)} as value`.execute(database().db);
    return rows[0]?.value;
  };

  test.each([
    ['int8 as a number', '9007199254740991::int8', Number.MAX_SAFE_INTEGER],
    ['numeric as a bigint, beyond 64 bits', `repeat('9', 78)::numeric`, BigInt('9'.repeat(78))],
    ['a moment as Unix milliseconds', `'2026-11-21T10:00:00.123Z'::timestamptz`, Date.UTC(2026, 10, 21, 10, 0, 0, 123)],
    ['a moment of another zone', `'2026-11-21T15:30:00+05:30'::timestamptz`, Date.UTC(2026, 10, 21, 10)],
    ['a moment of a year with five digits', `'10000-01-01T00:00:00Z'::timestamptz`, Date.UTC(10_000, 0, 1)],
    ['the last moment that fits', `'275760-09-13T00:00:00Z'::timestamptz`, 8.64e15],
    ['a moment before all others', `'-infinity'::timestamptz`, Number.NEGATIVE_INFINITY],
    ['a moment after all others', `'infinity'::timestamptz`, Number.POSITIVE_INFINITY],
    ['jsonb as its value', `'{"a": [1, null, "x"]}'::jsonb`, { a: [1, null, 'x'] }],
    ['nothing as null', 'null::timestamptz', null],
  ])('%s', async (_, expression, value) => {
    expect(await read(expression)).toEqual(value);
  });

  test.each([
    ['int8 beyond the safe integers', '9007199254740993::int8', '9007199254740993'],
    ['a decimal', '1.5::numeric', '1.5'],
    ['a moment that no number stands for', `'290000-01-01T00:00:00Z'::timestamptz`, '290000-01-01'],
  ])('are never numbers that lost digits: using %s throws, and the next row is read', async (_, expression, text) => {
    const { rows } = await sql<{ index: number; value: number }>`
      select index, case when index = 1 then ${sql.raw(expression)} end as value from generate_series(1, 2) as index
      order by index`.execute(database().db);
    const value = rows[0]?.value as number;
    expect(rows[1]).toEqual({ index: 2, value: null });
    expect(() => value + 1).toThrow(text);
    expect(() => value > 1).toThrow(text);
    expect(() => `${value}`).toThrow(text);
    expect(() => JSON.stringify({ value })).toThrow(text);
    await expect(sql`select ${value}::int8`.execute(database().db)).rejects.toThrow(text);
  });

  test('include timestamps of any century, truncated to the millisecond', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(MOMENT, { minLength: 1 }), async (moments) => {
        const { rows } = await sql<{ moment: number }>`
          select text::timestamptz as moment from unnest(${moments.map(({ text }) => text)}::text[])
          with ordinality as given (text, index) order by index`.execute(database().db);
        expect(rows.map((row) => row.moment)).toEqual(moments.map(({ ms }) => ms));
      }),
      { numRuns: level.runs(30) },
    );
  });

  test('include timestamps that round-trip, to the millisecond', async () => {
    const moments = [
      0,
      1,
      1_700_000_000_123,
      Date.UTC(2026, 10, 21, 10, 0, 0, 999),
      Date.UTC(2099, 11, 31, 23, 59, 59, 1),
    ];
    const { rows } = await sql<{ direct: number; computed: number }>`
      select direct, to_timestamp(ms / 1000.0) as computed
      from unnest(${moments.map((ms) => new Date(ms))}::timestamptz[], ${moments}::int8[]) as given (direct, ms)`.execute(
      database().db,
    );
    expect(rows).toEqual(moments.map((ms) => ({ direct: ms, computed: ms })));
  });
});

// Helpers

/** Years 1000 to 270000, fractions of every length; Postgres writes them without trailing zeros. */
const MOMENT = fc
  .tuple(
    fc.integer({ min: Date.UTC(1000, 0, 1) / 1_000, max: Date.UTC(270_000, 11, 31) / 1_000 }),
    fc.oneof(fc.integer({ min: 0, max: 999_999 }), fc.constantFrom(0, 1, 10, 100_000, 120_000, 999_999, 999_000)),
  )
  .map(([seconds, microseconds]) => ({
    text: `${new Date(seconds * 1_000).toISOString().replace(/^\+0*/, '').slice(0, -5)}.${String(microseconds).padStart(6, '0')}Z`,
    ms: seconds * 1_000 + Math.floor(microseconds / 1_000),
  }));
