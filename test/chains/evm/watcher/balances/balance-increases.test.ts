import fc from 'fast-check';
import { expect, test } from 'vitest';
import { remainingIncreases } from '../../../../../src/chains/evm/balance-check/locate-increases.ts';
import { assertProperty } from '../../../../support/run/fast-check.ts';

const readings = fc
  .array(fc.bigInt({ min: -50n, max: 50n }), { minLength: 1, maxLength: 12 })
  .map((series) => series.map((aboveBaseUnits, index) => ({ height: 100 + index, aboveBaseUnits })));

test('increases add up to what is left at the end, and to no more than any later reading shows', () => {
  assertProperty(
    fc.property(readings, (series) => {
      const increases = remainingIncreases(series);
      const last = series.at(-1)?.aboveBaseUnits ?? 0n;
      expect(increases.reduce((sum, { baseUnits }) => sum + baseUnits, 0n)).toBe(last > 0n ? last : 0n);
      let sum = 0n;
      for (const { height, baseUnits, afterHeight } of increases) {
        expect(baseUnits).toBeGreaterThan(0n);
        expect(afterHeight).toBe(height === 100 ? null : height - 1);
        sum += baseUnits;
        for (const later of series.filter((reading) => reading.height >= height)) {
          expect(later.aboveBaseUnits).toBeGreaterThanOrEqual(sum);
        }
      }
    }),
  );
});

test('coins that came and went are no increase, and coins from before a loss count as far as they are left', () => {
  const above = (...series: number[]) => series.map((each, index) => ({ height: index, aboveBaseUnits: BigInt(each) }));
  expect(remainingIncreases(above(5, 0))).toEqual([]);
  expect(remainingIncreases(above(5, 2, 6))).toEqual([
    { height: 0, afterHeight: null, baseUnits: 2n },
    { height: 2, afterHeight: 1, baseUnits: 4n },
  ]);
});
