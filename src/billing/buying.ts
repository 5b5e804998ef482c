import type { UnixMs } from '../../machines/index.ts';
import { isLowerTier, type PlanTier } from '../plan-tiers.ts';
import { addMonths, dayOfMonth } from './months.ts';
import { cycleOf } from './plan.ts';
import { GRACE_MS } from './standing.ts';

/** The plan a merchant has. */
export interface HeldPlan {
  readonly tier: PlanTier;
  readonly cycle: 'monthly' | 'yearly' | null;
  /** Null: it does not end. */
  readonly expiresAt: UnixMs | null;
  /** The day of the month that it was bought on, and ends on where a month has it; null: that of `expiresAt`. */
  readonly endsOnDay: number | null;
}

/** What is paid for. */
export interface Order {
  readonly tier: PlanTier;
  readonly months: number;
}

export type PurchaseType = 'plan_upgrade' | 'plan_renewal';

/** What a purchase does at a moment, or why it can do nothing good. */
export type Bought =
  | { readonly ok: true; readonly purchaseType: PurchaseType; readonly plan: HeldPlan }
  | { readonly ok: false; readonly problem: 'never_ends' | 'lower_than_held' };

/**
 * Buying the same tier renews it: from its end, also in the days of grace after it; else from now. Buying another starts it
 * now. A lower one is taken only when the held one has ended. The same rule decides when a purchase is asked for and when
 * it is paid, which may be days later.
 */
export function buy(held: HeldPlan, { tier, months }: Order, at: UnixMs): Bought {
  const until = (from: UnixMs, endsOnDay = dayOfMonth(from)): HeldPlan => {
    return { tier, cycle: cycleOf(months), expiresAt: addMonths(from, months, endsOnDay), endsOnDay };
  };
  const { expiresAt } = held;
  if (tier === held.tier) {
    if (expiresAt === null) return { ok: false, problem: 'never_ends' };
    const goesOn = at < expiresAt + GRACE_MS;
    const plan = goesOn ? until(expiresAt, held.endsOnDay ?? dayOfMonth(expiresAt)) : until(at);
    return { ok: true, purchaseType: 'plan_renewal', plan };
  }
  const hasEnded = expiresAt !== null && expiresAt <= at;
  if (isLowerTier(tier, held.tier) && !hasEnded) return { ok: false, problem: 'lower_than_held' };
  return { ok: true, purchaseType: 'plan_upgrade', plan: until(at) };
}
