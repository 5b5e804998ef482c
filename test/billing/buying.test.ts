import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMonths, DAY_MS } from '../../machines/index.ts';
import { buy, type HeldPlan } from '../../src/billing/buying.ts';
import { GRACE_MS } from '../../src/billing/grace-period.ts';
import { dayOfMonth } from '../../src/billing/months.ts';
import { type Plan, priceCents } from '../../src/billing/plan.ts';
import { PLAN_TIERS } from '../../src/merchants/index.ts';
import { assertProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const END = Date.parse('2026-12-05T00:00:00Z');

function held(tier: HeldPlan['tier'], expiresAt: number | null): HeldPlan {
  return { tier, cycle: expiresAt === null ? null : 'monthly', expiresAt, endsOnDay: null };
}

describe('plan purchases', () => {
  test.each([
    ['the same before its end goes on from the end', held('business', END), 'business', NOW, END],
    ['the same in the days of grace goes on from the end', held('business', END), 'business', END + GRACE_MS - 1, END],
    ['the same after the grace begins anew', held('business', END), 'business', END + GRACE_MS, END + GRACE_MS],
    ['a higher one begins at once', held('business', END), 'professional', NOW, NOW],
    ['a higher one than the free one begins at once', held('starter', null), 'business', NOW, NOW],
    ['a lower one begins when the held one has ended', held('professional', END), 'business', END, END],
  ] as const)('%s', (_name, before, tier, at, from) => {
    const bought = buy(before, { tier, months: 1 }, at);
    expect(bought).toEqual({
      ok: true,
      purchaseType: tier === before.tier ? 'plan_renewal' : 'plan_upgrade',
      plan: { tier, cycle: 'monthly', expiresAt: addMonths(from, 1), endsOnDay: dayOfMonth(from) },
    });
  });

  test.each([
    ['again, when it does not end', held('business', null), 'business', 'never_ends'],
    ['that is lower than one that still runs', held('professional', END), 'business', 'lower_than_held'],
    ['that is lower than one that does not end', held('enterprise', null), 'professional', 'lower_than_held'],
  ] as const)('have no effect for one %s', (_name, before, tier, problem) => {
    expect(buy(before, { tier, months: 12 }, NOW)).toEqual({ ok: false, problem });
  });

  test('renewed month by month, end on the original day wherever the month has it', () => {
    const bought = Date.parse('2027-01-31T08:00:00Z');
    let plan = held('starter', null);
    const ends: string[] = [];
    for (let renewals = 0; renewals < 5; renewals += 1) {
      const next = buy(plan, { tier: 'business', months: 1 }, bought);
      if (!next.ok) throw new Error(next.problem);
      plan = next.plan;
      ends.push(new Date(plan.expiresAt ?? 0).toISOString().slice(0, 10));
    }
    expect(ends).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30']);
  });

  test('bought month by month or at once last equally long', () => {
    const start = fc.integer({ min: NOW, max: NOW + 800 * DAY_MS });
    assertProperty(
      fc.property(start, fc.integer({ min: 1, max: 36 }), (at, months) => {
        let plan = held('starter', null);
        for (let month = 0; month < months; month += 1) {
          const next = buy(plan, { tier: 'business', months: 1 }, at);
          if (next.ok) plan = next.plan;
        }
        expect(plan.expiresAt).toBe(addMonths(at, months));
      }),
    );
  });

  test('never take away a tier or a day that was paid for', () => {
    const anyHeld = fc.record({
      tier: fc.constantFrom(...PLAN_TIERS),
      cycle: fc.constantFrom('monthly' as const, 'yearly' as const, null),
      expiresAt: fc.option(fc.integer({ min: NOW - 60 * DAY_MS, max: NOW + 60 * DAY_MS }), { nil: null }),
      endsOnDay: fc.constant(null),
    });
    const order = fc.record({ tier: fc.constantFrom(...PLAN_TIERS), months: fc.integer({ min: 1, max: 120 }) });
    assertProperty(
      fc.property(anyHeld, order, (before, ordered) => {
        const bought = buy(before, ordered, NOW);
        const runs = before.expiresAt === null || before.expiresAt > NOW;
        if (!bought.ok) {
          expect(runs || ordered.tier === before.tier).toBe(true);
          return;
        }
        const { plan } = bought;
        expect(plan.tier).toBe(ordered.tier);
        expect(plan.cycle).toBe(ordered.months % 12 === 0 ? 'yearly' : 'monthly');
        expect(plan.expiresAt).toBeGreaterThanOrEqual(addMonths(NOW - GRACE_MS, ordered.months));
        if (!runs) return;
        expect(PLAN_TIERS.indexOf(plan.tier)).toBeGreaterThanOrEqual(PLAN_TIERS.indexOf(before.tier));
        if (plan.tier === before.tier) {
          expect(plan.expiresAt).toBe(addMonths(before.expiresAt ?? Number.NaN, ordered.months));
        }
      }),
      { numRuns: level.runs(1_000) },
    );
  });
});

describe('the price of a plan', () => {
  const plan: Plan = {
    tier: 'business',
    monthlyPriceCents: 2_900,
    yearlyPriceCents: 29_000,
    monthlyTransactionLimit: 1_000,
    webhookLimit: 3,
    ipWhitelist: false,
    createDetailed: false,
    apiRateLimitPerMinute: 100,
    apiRateLimitPerHour: 2_000,
  };

  test.each([
    [1, 2_900],
    [11, 31_900],
    [12, 29_000],
    [13, 31_900],
    [24, 58_000],
  ])('of %i months is %i cents', (months, cents) => {
    expect(priceCents(plan, months)).toBe(cents);
  });

  test('is monthly only without a yearly price, and absent without a monthly one', () => {
    expect(priceCents({ ...plan, yearlyPriceCents: null }, 12)).toBe(34_800);
    expect(priceCents({ ...plan, monthlyPriceCents: null, yearlyPriceCents: null }, 12)).toBeNull();
  });
});
