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

function byLength(one: number, other: number): number {
  return one - other;
}
