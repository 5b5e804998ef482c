import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { insertUnnested, unnestRows } from '../../../src/platform/db/index.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { level } from '../../support/run/level.ts';

const COLUMNS = {
  text: ['word'],
  int4: ['small'],
  int8: ['large'],
  boolean: ['flag'],
  numeric: ['amount'],
  json: ['kept'],
  jsonb: ['searched'],
  timestamptz: ['moment'],
} as const;

const json = fc.constantFrom('null', '"\\"{,}"', '{"a":["ä",1]}', '[]');
const row = fc.record({
  word: fc.option(fc.constantFrom('', 'NULL', 'a "b" \\ {c}, €', '😀')),
  small: fc.option(fc.integer()),
  large: fc.option(fc.maxSafeInteger()),
  flag: fc.option(fc.boolean()),
  amount: fc.option(fc.bigInt({ min: 0n, max: 10n ** 78n - 1n }).map(String)),
  kept: fc.option(json),
  searched: fc.option(json),
  moment: fc.option(fc.integer({ min: 0, max: Date.UTC(2100, 0) })),
});

describeDatabases('rows given to a statement', (database) => {
  it('arrive with their types and nulls, however many they are, and without their other fields', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (given) => {
        const rows = given.map((each, index) => ({ ...each, index, other: 'not given' }));
        const { rows: arrived } = await sql<{ readonly searched: string | null }>`
          select index, word, small, large, flag, amount, kept::text, searched::text, moment,
            pg_typeof(moment)::text as type
          from ${unnestRows('given_rows', { ...COLUMNS, int4: [...COLUMNS.int4, 'index'] }, rows)}
          order by index`.execute(database().db);
        const expected = given.map(({ amount, searched, ...each }, index) => ({
          ...each,
          index,
          amount: amount === null ? null : BigInt(amount),
          searched: searched === null ? null : expect.anything(),
          type: 'timestamp with time zone',
        }));
        expect(arrived).toEqual(expected);
        const parsed = (texts: readonly (string | null)[]) =>
          texts.map((text): unknown => (text === null ? null : JSON.parse(text)));
        expect(parsed(arrived.map(({ searched }) => searched))).toEqual(parsed(given.map(({ searched }) => searched)));
      }),
      { numRuns: level.runs(300) },
    );
  });

  it('are inserted, those in conflict left out', async () => {
    const rows = [1, 2, 2].map((height) => ({ gate: `gate-${height}`, height }));
    const insert = insertUnnested('watermark', { text: ['gate'], int8: ['height'] }, rows);
    const { rows: inserted } = await sql`${insert} on conflict do nothing returning gate, height`.execute(
      database().db,
    );
    expect(inserted).toEqual(rows.slice(0, 2));
  });
});
