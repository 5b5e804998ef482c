import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spread } from '../support/run/file-order.ts';
import { level } from '../support/run/level.ts';

const DURATIONS = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 200 });
const itself = (ms: number): number => ms;

test('every test file runs once, whatever its previous duration', () => {
  const given = fc.property(DURATIONS, (durations) => {
    expect([...spread(durations, itself)].sort(byLength)).toEqual([...durations].sort(byLength));
  });
  fc.assert(given, { numRuns: level.runs(500) });
});

test('the longest test file starts first', () => {
  const given = fc.property(DURATIONS, (durations) => {
    expect(spread(durations, itself)[0]).toBe(Math.max(...durations));
  });
  fc.assert(given, { numRuns: level.runs(500) });
});

test('long test files are spread among short ones', () => {
  const long = Array<number>(10).fill(1_000);
  const order = spread([...long, ...Array<number>(1_000).fill(10)], itself);
  const indices = order.flatMap((ms, index) => (ms === 1_000 ? [index] : []));
  const gaps = indices.slice(1).map((own, index) => own - (indices[index] ?? 0));
  expect(new Set(gaps)).toEqual(new Set([91]));
});

function byLength(one: number, other: number): number {
  return one - other;
}
