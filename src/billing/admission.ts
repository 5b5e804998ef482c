import type { Transaction } from 'kysely';
import { DAY_MS, type UnixMs } from '../../machines/index.ts';
import type { Admission, AdmissionInput } from '../payments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { isUsedUp } from './allowance.ts';
import { GRACE_MS, hasLapsed } from './grace-period.ts';
import { nextMonthStart } from './months.ts';
import { type PlanUsage, readPlanUsage } from './plan-usage.ts';

/**
 * Admits payments up to the limit of the merchant's plan. Counts the payments completed and
 * committed when it decides, inside the transaction that starts the payment. Open payments do not
 * count, so they may take the total past the limit.
 */
export function createPlanAdmission({ clock }: { clock: Clock }): Admission {
  return async (trx, inputs) => {
    const now = clock.now();
    const requested = inputs.filter(({ type }) => type !== 'billing').map(({ merchantId }) => merchantId);
    if (requested.length === 0) return inputs.map(() => null);
    const usages = await readPlanUsage(trx, [...new Set(requested)], now);
    return inputs.map((start) => rejectionOf(usages.get(start.merchantId) ?? null, start, now));
  };
}

/**
 * Admits recurring payment requests while the plan has not lapsed. They count toward no limit;
 * their payments do. Returns one result per merchant, in order.
 */
export function createScheduleAdmission({ clock }: { clock: Clock }) {
  return async (
    trx: Transaction<Database>,
    merchantIds: readonly string[],
  ): Promise<readonly (TerminalError | null)[]> => {
    const now = clock.now();
    const usages = await readPlanUsage(trx, [...new Set(merchantIds)], now);
    return merchantIds.map((id) => lapseOf(usages.get(id) ?? null, now));
  };
}

/** The error for a payment that may not start, or null. `usage` is null for an unknown plan. */
export function rejectionOf(usage: PlanUsage | null, input: AdmissionInput, now: UnixMs): TerminalError | null {
  // A merchant that could not pay the operator could never renew a lapsed plan.
  if (input.type === 'billing') return null;
  if (usage === null || hasLapsed(usage, now)) return lapseOf(usage, now);
  const { plan, used } = usage;
  if (input.type === 'detailed' && !plan.createDetailed) {
    return new TerminalError(
      'PLAN_UPGRADE_REQUIRED',
      `The ${plan.tier} plan does not include itemized transactions. ${UPGRADE}`,
    );
  }
  // Simulated payments count toward no limit; test payments on a test network do.
  if (input.simulated || !isUsedUp(usage, now)) return null;
  const resets = dateText(nextMonthStart(now));
  return new TerminalError(
    'MONTHLY_LIMIT_REACHED',
    `${used}/${plan.monthlyTransactionLimit} payments of the ${plan.tier} plan are used this month. Open checkouts can still be paid; the count resets on ${resets} (UTC). ${UPGRADE}`,
  );
}

// Helpers

const ASK = 'Contact the operator of this service.';
const UPGRADE = 'Upgrade with POST /billing/checkout; GET /plans lists the plans.';

/** The error when the merchant may start nothing new, or null. */
function lapseOf(usage: PlanUsage | null, now: UnixMs): TerminalError | null {
  if (usage === null) return new TerminalError('NO_ACTIVE_PLAN', `This account has no plan. ${ASK}`);
  return hasLapsed(usage, now) ? new TerminalError('NO_ACTIVE_PLAN', lapsedMessage(usage)) : null;
}

function lapsedMessage({ plan, expiresAt }: PlanUsage): string {
  const ended = dateText(expiresAt ?? 0);
  const days = GRACE_MS / DAY_MS;
  return `The ${plan.tier} plan ended on ${ended} and its ${days} days of grace have passed, so nothing new can be started. Renew it with POST /billing/checkout; you can still read everything, and open checkouts can be paid.`;
}

/** A day in UTC, such as `2026-12-01`. */
function dateText(at: UnixMs): string {
  return new Date(at).toISOString().slice(0, 10);
}
