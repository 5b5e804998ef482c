import type { UnixMs } from '../../machines/index.ts';
import { monthOf } from './months.ts';
import type { PlanUsage } from './plan-usage.ts';

/** Payments beyond the limit in the month in which an account first reaches it. */
export const FIRST_TIME_EXTRA = 5;

/**
 * Completed payments of this month at which new ones are rejected; null: unlimited. Until a limit
 * has been reached for the first time, and in that month, a few more are allowed.
 */
export function allowanceOf({ plan, limitFirstReachedIn }: PlanUsage, now: UnixMs): number | null {
  const { monthlyTransactionLimit: limit } = plan;
  if (limit === null) return null;
  const isFirstTime = limitFirstReachedIn === null || limitFirstReachedIn === monthOf(now);
  return isFirstTime ? limit + FIRST_TIME_EXTRA : limit;
}

/** Whether the payments of this month are used up, including the few more of the first time. */
export function isUsedUp(usage: PlanUsage, now: UnixMs): boolean {
  const allowance = allowanceOf(usage, now);
  return allowance !== null && usage.used >= allowance;
}
