import { addMonths, type UnixMs } from '../../machines/index.ts';
import { isLowerTier, type PlanTier } from '../merchants/index.ts';
import { hasLapsed } from './grace-period.ts';
import { dayOfMonth } from './months.ts';
import { cycleOf } from './plan.ts';

/** The plan a merchant has. */
export interface HeldPlan {
  readonly tier: PlanTier;
  readonly cycle: 'monthly' | 'yearly' | null;
  /** Null: it does not expire. */
  readonly expiresAt: UnixMs | null;
  /**
   * Day of the month it was bought on, and ends on if a month has it. Null: that of `expiresAt`.
   */
  readonly endsOnDay: number | null;
}

/** What is being bought. */
export interface PlanOrder {
  readonly tier: PlanTier;
  readonly months: number;
}

export type PurchaseType = 'plan_upgrade' | 'plan_renewal';

/** The effect of a purchase at a given time, or why it cannot take effect. */
export type PurchaseResult =
  | { readonly ok: true; readonly purchaseType: PurchaseType; readonly plan: HeldPlan }
  | { readonly ok: false; readonly problem: 'never_ends' | 'lower_than_held' };

/**
 * Buying the current tier renews it: from its end, also during the grace period after it; else from
 * now. Another tier starts now. A lower one is rejected until the current one has ended. The same
 * rule applies at checkout and when the payment completes, which may be days later.
 */
export function buy(held: HeldPlan, { tier, months }: PlanOrder, at: UnixMs): PurchaseResult {
  const until = (from: UnixMs, endsOnDay = dayOfMonth(from)): HeldPlan => {
    return { tier, cycle: cycleOf(months), expiresAt: addMonths(from, months, endsOnDay), endsOnDay };
  };
  const { expiresAt } = held;
  if (tier === held.tier) {
    if (expiresAt === null) return { ok: false, problem: 'never_ends' };
    const plan = hasLapsed(held, at) ? until(at) : until(expiresAt, held.endsOnDay ?? dayOfMonth(expiresAt));
    return { ok: true, purchaseType: 'plan_renewal', plan };
  }
  const hasEnded = expiresAt !== null && expiresAt <= at;
  if (isLowerTier(tier, held.tier) && !hasEnded) return { ok: false, problem: 'lower_than_held' };
  return { ok: true, purchaseType: 'plan_upgrade', plan: until(at) };
}
