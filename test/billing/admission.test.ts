import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rejectionOf } from '../../src/billing/admission.ts';
import { FIRST_TIME_EXTRA } from '../../src/billing/allowance.ts';
import { GRACE_MS } from '../../src/billing/grace-period.ts';
import type { Plan } from '../../src/billing/plan.ts';
import type { PlanUsage } from '../../src/billing/plan-usage.ts';
import { assertProperty } from '../support/run/fast-check.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const PLAN: Plan = {
  tier: 'starter',
  monthlyPriceCents: 0,
  yearlyPriceCents: 0,
  monthlyTransactionLimit: 50,
  webhookLimit: 1,
  ipWhitelist: false,
  createDetailed: false,
  apiRateLimitPerMinute: 30,
  apiRateLimitPerHour: 500,
};
const USAGE: PlanUsage = {
  plan: PLAN,
  cycle: null,
  expiresAt: null,
  endsOnDay: null,
  used: 0,
  limitFirstReachedIn: '2026-01',
};
const LIVE = { merchantId: 'mer_a', type: 'basic', simulated: false } as const;

function codeOf(usage: PlanUsage | null, input: Parameters<typeof rejectionOf>[1] = LIVE): string | null {
  return rejectionOf(usage, input, NOW)?.code ?? null;
}

describe('whether a payment may start', () => {
  test.each([
    ['below the limit', { used: 49 }, null],
    ['at the limit', { used: 50 }, 'MONTHLY_LIMIT_REACHED'],
    ['beyond it, by checkouts that were open', { used: 53 }, 'MONTHLY_LIMIT_REACHED'],
    ['at the limit for the first time ever', { used: 50, limitFirstReachedIn: '2026-11' }, null],
    ['with the last of the extra payments left', { used: 54, limitFirstReachedIn: '2026-11' }, null],
    ['with the extra payments used up', { used: 55, limitFirstReachedIn: '2026-11' }, 'MONTHLY_LIMIT_REACHED'],
    ['beyond the limit of a smaller plan, never having reached one', { used: 52, limitFirstReachedIn: null }, null],
    ['without any limit', { used: 1e9, plan: { ...PLAN, monthlyTransactionLimit: null } }, null],
    ['with a limit of none', { plan: { ...PLAN, monthlyTransactionLimit: 0 } }, 'MONTHLY_LIMIT_REACHED'],
    ['before the plan ends', { expiresAt: NOW + 1 }, null],
    ['in the days of grace', { expiresAt: NOW - GRACE_MS + 1 }, null],
    ['after them', { expiresAt: NOW - GRACE_MS }, 'NO_ACTIVE_PLAN'],
  ])('%s', (_name, change, code) => {
    expect(codeOf({ ...USAGE, ...change })).toBe(code);
  });

  test('rule 39: applies no limit to simulated payments, but requires a plan that has not lapsed', () => {
    const simulated = { ...LIVE, simulated: true };
    expect(codeOf({ ...USAGE, used: 1_000 }, simulated)).toBeNull();
    expect(codeOf({ ...USAGE, expiresAt: NOW - GRACE_MS }, simulated)).toBe('NO_ACTIVE_PLAN');
    expect(codeOf(null, simulated)).toBe('NO_ACTIVE_PLAN');
  });

  test('never rejects a payment for a plan', () => {
    const billing = { ...LIVE, type: 'billing' } as const;
    expect(codeOf({ ...USAGE, used: 1_000, expiresAt: 0 }, billing)).toBeNull();
    expect(codeOf(null, billing)).toBeNull();
  });

  test('allows itemized payments with the plans that include them', () => {
    const detailed = { ...LIVE, type: 'detailed' } as const;
    expect(codeOf(USAGE, detailed)).toBe('PLAN_UPGRADE_REQUIRED');
    expect(codeOf({ ...USAGE, plan: { ...PLAN, createDetailed: true } }, detailed)).toBeNull();
  });

  test('names the usage, the limit, when it resets, and the remedy', () => {
    const message = rejectionOf({ ...USAGE, used: 50 }, LIVE, NOW)?.message;
    expect(message).toMatch(/^50\/50 payments .* 2026-12-01 .*Upgrade with POST \/billing\/checkout/);
    const lapsed = rejectionOf({ ...USAGE, expiresAt: Date.parse('2026-11-01T00:00:00Z') }, LIVE, NOW)?.message;
    expect(lapsed).toMatch(/ended on 2026-11-01 .* 7 days of grace .*Renew it with POST \/billing\/checkout/);
  });

  test('rule 64: once rejected for the limit, stays rejected as the usage grows; a lower limit never allows more', () => {
    const month = fc.constantFrom(null, '2026-10', '2026-11');
    assertProperty(
      fc.property(fc.nat(30), fc.nat(30), fc.nat(10), month, (limit, used, more, limitFirstReachedIn) => {
        const at = (limit: number, used: number) =>
          codeOf({ ...USAGE, used, limitFirstReachedIn, plan: { ...PLAN, monthlyTransactionLimit: limit } });
        if (at(limit, used) !== null) expect(at(limit, used + more)).not.toBeNull();
        if (at(limit, used) === null) expect(at(limit + more, used)).toBeNull();
        const extra = limitFirstReachedIn === '2026-10' ? 0 : FIRST_TIME_EXTRA;
        expect(at(limit, used) === null).toBe(used < limit + extra);
      }),
    );
  });
});
