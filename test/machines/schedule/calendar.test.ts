import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, INTERVALS, newestPeriodDue, periodDueAt } from '../../../machines/index.ts';
import { assertProperty } from '../../support/run/fast-check.ts';

const anchors = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2060, 0, 1) });
const intervals = fc.constantFrom(...INTERVALS);
const periods = fc.integer({ min: 1, max: 400 });

describe('the due date of a period', () => {
  const days = (anchor: string, interval: (typeof INTERVALS)[number], count: number) =>
    Array.from({ length: count }, (_, index) =>
      new Date(periodDueAt(Date.parse(anchor), interval, index + 1)).toISOString().slice(0, 16),
    );

  it('rule 49: falls on the last day of a month that is too short, and returns to its day afterwards', () => {
    expect(days('2027-01-31T09:30Z', 'monthly', 4)).toEqual([
      '2027-01-31T09:30',
      '2027-02-28T09:30',
      '2027-03-31T09:30',
      '2027-04-30T09:30',
    ]);
  });

  it('handles leap years', () => {
    expect(days('2028-02-29T00:00Z', 'yearly', 5).map((day) => day.slice(0, 10))).toEqual([
      '2028-02-29',
      '2029-02-28',
      '2030-02-28',
      '2031-02-28',
      '2032-02-29',
    ]);
    expect(days('2099-11-30T23:59Z', 'quarterly', 3).map((day) => day.slice(0, 10))).toEqual([
      '2099-11-30',
      '2100-02-28',
      '2100-05-30',
    ]);
  });

  it('is every seventh day for a week, regardless of daylight saving', () => {
    expect(days('2027-03-24T01:30Z', 'weekly', 2)).toEqual(['2027-03-24T01:30', '2027-03-31T01:30']);
  });

  it('keeps the time of day, increases, and stays in the month that is counted', () => {
    assertProperty(
      fc.property(anchors, intervals, periods, (anchor, interval, periodNo) => {
        const due = periodDueAt(anchor, interval, periodNo);
        expect(due % DAY_MS).toBe(anchor % DAY_MS);
        expect(periodDueAt(anchor, interval, periodNo + 1)).toBeGreaterThan(due);
        if (interval === 'weekly') return;
        const months = { monthly: 1, quarterly: 3, yearly: 12 }[interval] * (periodNo - 1);
        const [from, to] = [new Date(anchor), new Date(due)];
        expect(to.getUTCFullYear() * 12 + to.getUTCMonth()).toBe(
          from.getUTCFullYear() * 12 + from.getUTCMonth() + months,
        );
        const isLastDay = new Date(due + DAY_MS).getUTCDate() === 1;
        expect(to.getUTCDate() === from.getUTCDate() || (isLastDay && to.getUTCDate() < from.getUTCDate())).toBe(true);
      }),
    );
  });
});

describe('the newest due period', () => {
  it("is the one whose due date has passed and whose successor's has not", () => {
    assertProperty(
      fc.property(anchors, intervals, periods, fc.integer({ min: -1, max: 1 }), (anchor, interval, periodNo, off) => {
        const at = periodDueAt(anchor, interval, periodNo) + off;
        expect(newestPeriodDue(anchor, interval, at)).toBe(off < 0 ? periodNo - 1 : periodNo);
      }),
    );
    assertProperty(
      fc.property(anchors, intervals, fc.integer({ min: 0, max: 20_000 * DAY_MS }), (anchor, interval, later) => {
        const newest = newestPeriodDue(anchor, interval, anchor + later);
        expect(periodDueAt(anchor, interval, newest)).toBeLessThanOrEqual(anchor + later);
        expect(periodDueAt(anchor, interval, newest + 1)).toBeGreaterThan(anchor + later);
      }),
    );
  });

  it('is none before the anchor', () => {
    expect(newestPeriodDue(Date.UTC(2027, 0, 1), 'monthly', Date.UTC(2027, 0, 1) - 1)).toBe(0);
  });
});
