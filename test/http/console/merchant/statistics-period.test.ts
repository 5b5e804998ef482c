import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../machines/index.ts';
import {
  amountsText,
  changeText,
  openText,
  paidText,
  pointsText,
  rateText,
  soleCurrency,
  volumeIn,
} from '../../../../src/web/pages/merchant/statistics/labels.ts';
import { PERIODS, periodOf } from '../../../../src/web/pages/merchant/statistics/period.ts';
import { assertProperty } from '../../../support/run/fast-check.ts';

/** The server's maximum per request. */
const MAX_DAYS = 366;

const now = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2040, 0, 1) });
const day = fc.oneof(
  fc.integer({ min: 0, max: 25_000 }).map((days) => new Date(days * DAY_MS).toISOString().slice(0, 10)),
  fc.constantFrom('', 'yesterday', '2026-02-31', '2026-13-01', '1969-12-31'),
);
const address = fc.record(
  {
    period: fc.constantFrom(...PERIODS.map(([name]) => name), 'for ever'),
    from: day,
    to: day,
    interval: fc.constantFrom('day', 'week', 'month', 'hour'),
  },
  { requiredKeys: [] },
);

describe('the statistics period in the URL', () => {
  test('is valid for the server, or gives a reason; and its comparison period precedes it', () => {
    assertProperty(
      fc.property(address, now, (query, at) => {
        const requested = periodOf(new URLSearchParams(query as Record<string, string>), at);
        if (!requested.ok) {
          expect(query.period).toBe('own');
          expect(requested.problem).not.toBe('');
          return;
        }
        const { from, to, before, interval } = requested.period;
        for (const [start, end] of [
          [from, to],
          [before.from, before.to],
        ] as const) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(start).toBeLessThan(end);
          expect(end - start).toBeLessThanOrEqual(MAX_DAYS * DAY_MS);
          expect(start % DAY_MS).toBe(0);
        }
        expect(before.to).toBeLessThanOrEqual(from);
        expect(['day', 'week', 'month']).toContain(interval);
        // Periods that end today include the current moment.
        if (requested.period.name !== 'own') expect(to).toBeGreaterThan(at);
      }),
    );
  });

  test('is stable for an hour, so that its numbers are not requested again all the time', () => {
    assertProperty(
      fc.property(now, fc.integer({ min: 0, max: HOUR_MS - 1 }), fc.constantFrom(...PERIODS), (at, later, [name]) => {
        const hour = Math.floor(at / HOUR_MS) * HOUR_MS;
        const query = new URLSearchParams({ period: name });
        expect(periodOf(query, hour + later)).toEqual(periodOf(query, hour));
      }),
    );
  });

  test('found: days of 1970 were compared with times that no server accepts', () => {
    const query = new URLSearchParams({ period: 'own', from: '1970-01-05', to: '1970-12-31' });
    expect(periodOf(query, Date.UTC(2026, 10, 22))).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/2009/),
    });
  });

  test('includes its last day', () => {
    const own = periodOf(
      new URLSearchParams({ period: 'own', from: '2026-11-01', to: '2026-11-02' }),
      Date.UTC(2026, 10, 22),
    );
    expect(own).toEqual({
      ok: true,
      period: {
        name: 'own',
        from: Date.UTC(2026, 10, 1),
        to: Date.UTC(2026, 10, 3),
        interval: 'day',
        before: { from: Date.UTC(2026, 9, 30), to: Date.UTC(2026, 10, 1) },
      },
    });
  });
});

describe('statistics values', () => {
  test('are compared in words', () => {
    expect(changeText(112, 100)).toBe('12\u00a0% more than before');
    expect(changeText(97.5, 100)).toBe('2.5\u00a0% less than before');
    expect(changeText(100.01, 100)).toBe('less than 0.1\u00a0% more than before');
    expect(changeText(5, 5)).toBe('the same as before');
    expect(changeText(5, 0)).toBe('none before');
    expect(changeText(null, 5)).toBeNull();
    expect(pointsText('0.6', '0.5')).toBe('10 points more than before');
    expect(pointsText('0.5', '0.6')).toBe('10 points less than before');
    expect(pointsText('0.5', null)).toBeNull();
    expect(rateText('0.3333')).toBe('33.33\u00a0%');
    expect(rateText('1')).toBe('100\u00a0%');
    expect(rateText('0')).toBe('0\u00a0%');
  });

  test('are in the currency of the prices, and in US dollars only where several must be added up', () => {
    const nothing = { created: 3, completed: 0, open: 3, volumeUsd: '0', volumes: [] };
    const euros = { ...nothing, volumeUsd: '54', volumes: [{ currency: 'EUR', amount: '50' }] } as const;
    const zloty = { ...nothing, volumeUsd: '25', volumes: [{ currency: 'PLN', amount: '100' }] } as const;
    const both = { ...nothing, volumeUsd: '79', volumes: [...euros.volumes, ...zloty.volumes] };
    expect([nothing, euros, both].map(({ volumes }) => amountsText(volumes))).toEqual([
      '0',
      '50.00\u00a0EUR',
      '50.00\u00a0EUR and 100.00\u00a0PLN',
    ]);
    expect(volumeIn(euros, soleCurrency(euros, nothing))).toBe(50);
    expect(volumeIn(nothing, soleCurrency(euros, nothing))).toBe(0);
    // A period in euros is compared with one in zloty by their US dollars.
    expect([euros, zloty].map((each) => volumeIn(each, soleCurrency(euros, zloty)))).toEqual([54, 25]);
    expect(volumeIn(both, soleCurrency(both))).toBe(79);
  });

  test('count payments that are not final yet, and name the partly and late paid ones as part of them', () => {
    const sums = { created: 3, completed: 1, volumeUsd: '1', volumes: [] };
    expect(paidText({ ...sums, open: 1 })).toBe('1 of 3 payments paid, 1 not final yet');
    expect(paidText({ ...sums, open: 0 })).toBe('1 of 3 payments paid');
    const all = '16 not final yet, of these 1 partly paid and 3 paid late';
    expect(openText({ open: 16, partial: 1, paidLate: 3 })).toBe(all);
    expect(openText({ open: 16, partial: 0, paidLate: 3 })).toBe('16 not final yet, of these 3 paid late');
    expect(openText({ open: 1_000, partial: 0, paidLate: 0 })).toBe('1,000 not final yet');
  });
});
