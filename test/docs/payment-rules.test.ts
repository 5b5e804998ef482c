import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, readDocument, tableRows } from './markdown.ts';

const DOCUMENT = readDocument('docs/merchants/payment-rules.md');
const RULES = [...DOCUMENT.matchAll(/\*\*Rule (\d+)\.\*\*/g)].map(([, number]) => `rule ${number}`);
const ROWS = tableRows(DOCUMENT, ['Id', 'From', 'What happens', 'To', 'Webhook']).map(([id = '']) => id);

/**
 * Titles of tests, and names in test tables, that begin with the rules they prove: `L7, rule 3: …`.
 * Skipped tests and todos prove nothing.
 */
const TITLE = /(?:\b(?:test|it)(?:\.each\([^\n]*\))?\(\s*|\bname: )['"`]((?:(?:L|rule )\d+(?:, )?)+): /g;

describe('docs/merchants/payment-rules.md', () => {
  const proven = new Set(testSources().flatMap(idsIn));

  test('numbers its rules and lifecycle rows consecutively', () => {
    expect(RULES).toEqual(RULES.map((_, index) => `rule ${index + 1}`));
    expect(ROWS).toEqual(ROWS.map((_, index) => `L${index + 1}`));
    expect(RULES.length).toBeGreaterThan(60);
    expect(ROWS.length).toBeGreaterThan(20);
  });

  test.each([...ROWS, ...RULES])('%s is covered by a test that names it', (id) => {
    expect(proven).toContain(id);
  });

  test('contains every rule and row that a test names', () => {
    const known = new Set([...ROWS, ...RULES]);
    expect([...proven].filter((id) => !known.has(id))).toEqual([]);
  });
});

test.each([
  ["  test('rule 1: it holds', () => {", ['rule 1']],
  ["    name: 'L3, rule 12: a row',", ['L3', 'rule 12']],
  ["it.each(ROWS)('rule 2: %s', () => {", ['rule 2']],
  ["test.skip('rule 1: it holds', () => {", []],
  ["test.todo('rule 1: it holds')", []],
  ["// 'rule 1: it holds'", []],
])('%s names %j', (source, ids) => {
  expect(idsIn(source)).toEqual(ids);
});

// Helpers

function idsIn(source: string): string[] {
  return [...source.matchAll(TITLE)].flatMap(([, ids = '']) => ids.split(', '));
}

/** Everything in test/ but this file, whose examples would prove anything. */
function testSources(): string[] {
  const names = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts') && !name.endsWith('docs/payment-rules.test.ts'))
    .map((name) => readFileSync(join(ROOT, 'test', name), 'utf8'));
}
