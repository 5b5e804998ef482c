import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeBothDatabases } from '../support/database.ts';

describeBothDatabases('Values leave the database', (database) => {
  const read = async (expression: string) => {
    const { rows } = await sql<{ value: unknown }>`select ${sql.raw(expression)} as value`.execute(database().db);
    return rows[0]?.value;
  };

  test.each([
    ['int8 as a number', '9007199254740991::int8', Number.MAX_SAFE_INTEGER],
    ['numeric as a bigint, beyond 64 bits', `repeat('9', 78)::numeric`, BigInt('9'.repeat(78))],
    ['a moment as Unix milliseconds', `'2026-11-21T10:00:00.123Z'::timestamptz`, Date.UTC(2026, 10, 21, 10, 0, 0, 123)],
    ['a moment of another zone', `'2026-11-21T15:30:00+05:30'::timestamptz`, Date.UTC(2026, 10, 21, 10)],
    ['a moment before all others', `'-infinity'::timestamptz`, Number.NEGATIVE_INFINITY],
    ['a moment after all others', `'infinity'::timestamptz`, Number.POSITIVE_INFINITY],
    ['jsonb as its value', `'{"a": [1, null, "x"]}'::jsonb`, { a: [1, null, 'x'] }],
    ['nothing as null', 'null::timestamptz', null],
  ])('%s', async (_, expression, value) => {
    expect(await read(expression)).toEqual(value);
  });

  test('never as a number that lost digits', async () => {
    await expect(read('9007199254740993::int8')).rejects.toThrow('9007199254740993');
  });

  test('a moment written is the moment read, to the millisecond', async () => {
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
