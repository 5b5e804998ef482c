import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SPARKLINE, sparklinePoints } from '../../../../src/web/pages/merchant/overview/sparkline.ts';
import { assertProperty } from '../../../support/run/fast-check.ts';

test('a sparkline has a point for each value inside the drawing, higher for larger values, with its maximum at the top', () => {
  const values = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 2, maxLength: 40 });
  assertProperty(
    fc.property(values, (all) => {
      const points = sparklinePoints(all)
        .split(' ')
        .map((point) => point.split(',').map(Number));
      expect(points).toHaveLength(all.length);
      expect([points[0]?.[0], points.at(-1)?.[0]]).toEqual([0, SPARKLINE.width]);
      for (const [index, [x = -1, y = -1]] of points.entries()) {
        expect(x).toBeGreaterThanOrEqual(points[index - 1]?.[0] ?? 0);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThanOrEqual(SPARKLINE.height);
        const [before = 0, now = 0] = [all[index - 1], all[index]];
        if (index > 0 && now >= before) expect(y).toBeLessThanOrEqual(points[index - 1]?.[1] ?? 0);
      }
      const top = Math.max(...all) > 0 ? 0 : SPARKLINE.height;
      expect(Math.min(...points.map(([, y = -1]) => y))).toBe(top);
    }),
  );
});

test('a sparkline of one value or none is no line with broken numbers', () => {
  expect(sparklinePoints([])).toBe('');
  expect(sparklinePoints([5])).toBe('0,0');
});
