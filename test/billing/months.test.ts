import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMonths, DAY_MS } from '../../machines/index.ts';
import { monthOf, nextMonthStart } from '../../src/billing/months.ts';
import { assertProperty } from '../support/run/fast-check.ts';

const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2090-12-31'), noInvalidDate: true });

describe('calendar months in UTC', () => {
  test.each([
    ['2026-01-31T12:30:00.500Z', 1, '2026-02-28T12:30:00.500Z'],
    ['2028-01-31T00:00:00.000Z', 1, '2028-02-29T00:00:00.000Z'],
    ['2028-02-29T23:59:59.999Z', 12, '2029-02-28T23:59:59.999Z'],
    ['2026-11-21T09:00:00.000Z', 2, '2027-01-21T09:00:00.000Z'],
    ['2026-03-31T09:00:00.000Z', 120, '2036-03-31T09:00:00.000Z'],
  ])('%s and %i months are %s', (from, months, to) => {
    expect(new Date(addMonths(Date.parse(from), months)).toISOString()).toBe(to);
  });

  test('adding keeps the time of day and the day, or uses the last day of the resulting month', () => {
    assertProperty(
      fc.property(moment, fc.integer({ min: 1, max: 240 }), (date, months) => {
        const from = date.getTime();
        const to = new Date(addMonths(from, months));
        expect(to.getTime() % DAY_MS).toBe(from % DAY_MS);
        const monthsOf = (at: Date) => at.getUTCFullYear() * 12 + at.getUTCMonth();
        expect(monthsOf(to) - monthsOf(date)).toBe(months);
        const isLastDay = monthOf(to.getTime() + DAY_MS) !== monthOf(to.getTime());
        if (to.getUTCDate() !== date.getUTCDate()) expect([isLastDay, date.getUTCDate() > 28]).toEqual([true, true]);
      }),
    );
  });

  test('every time is in one month, which ends where the next starts', () => {
    assertProperty(
      fc.property(moment, (date) => {
        const at = date.getTime();
        const next = nextMonthStart(at);
        expect(next).toBeGreaterThan(at);
        expect(monthOf(next - 1)).toBe(monthOf(at));
        expect(new Date(next).toISOString()).toMatch(/^\d{4}-\d{2}-01T00:00:00.000Z$/);
        expect(new Date(next).toISOString().slice(0, 7)).toBe(monthOf(next));
        expect(monthOf(next)).not.toBe(monthOf(at));
      }),
    );
  });
});
