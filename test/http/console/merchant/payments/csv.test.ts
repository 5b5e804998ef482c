import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, plainCell } from '../../../../../src/http/console/merchant/csv.ts';
import { assertProperty, textOfAnyCharacters } from '../../../../support/run/fast-check.ts';
import { level } from '../../../../support/run/level.ts';
import { readCsv } from './read-csv.ts';

/** Any text, biased to characters with a meaning in spreadsheet programs. */
const cell = fc.oneof(
  textOfAnyCharacters(),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', "'", '"', ',', ';', '\t', '\r', '\n', '|', '＝', 'a', '1', ' '),
  }),
);
const rows = fc
  .integer({ min: 1, max: 6 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 8 }));

test('a parsed file contains the texts that were written, whatever their content', () => {
  assertProperty(
    fc.property(rows, (table) => {
      const read = readCsv(table.map(csvLine).join(''));
      expect(read.map((record) => record.map(plainCell))).toEqual(table);
    }),
    { numRuns: level.runs(2_000) },
  );
});

test('no program treats a cell as a formula, with any separator', () => {
  assertProperty(
    fc.property(rows, (table) => {
      const text = table.map(csvLine).join('');
      for (const divider of [',', ';', '\t', '|', '\r', '\n']) {
        for (const piece of text.split(divider)) {
          // Some programs strip quotes and others do not.
          expect(piece).not.toMatch(/^[" ]*[=+\-@＝＋－＠]/u);
        }
      }
    }),
    { numRuns: level.runs(2_000) },
  );
});

test.each([
  ['=HYPERLINK("http://x.example")', `"'=HYPERLINK(""http://x.example"")"\r\n`],
  ['+1', `"'+1"\r\n`],
  ['-1', `"'-1"\r\n`],
  ['@SUM(A1)', `"'@SUM(A1)"\r\n`],
  ['\t=1', `"'\t'=1"\r\n`],
  ['a;=1', `"a;'=1"\r\n`],
  ["'=1", `"''=1"\r\n`],
  ['"=1', `"'""=1"\r\n`],
  [' =1', `"' =1"\r\n`],
  ["it's", `"it's"\r\n`],
  ['a=b', 'a=b\r\n'],
  ['2026-11-22', '2026-11-22\r\n'],
  ['', '\r\n'],
])('%j is written as %j', (text, line) => {
  expect(csvLine([text])).toBe(line);
});
