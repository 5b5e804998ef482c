import { changePlan, listPlans, type Plan, type PlanChanges } from '../../billing/index.ts';
import { type PlanTier } from '../../merchants/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { OperationsDeps } from '../actors/population.ts';
import type { Operator } from '../types.ts';
import { doOnce } from './action-log.ts';
import { requireReason } from './operator-events.ts';

export interface PlanChangeRequest {
  readonly changes: PlanChanges;
  readonly reason: string;
  /** Idempotency key of the request. */
  readonly requestId: string;
}

/** Prices and limits of all tiers, including where plans are disabled and have no effect. */
export function listAllPlans({ db }: Pick<OperationsDeps, 'db'>): Promise<Plan[]> {
  return listPlans({ db, plansEnabled: true });
}

/**
 * Changes the price and limits of a tier, effective immediately for every merchant on it, and
 * records operator and reason. Throws `NOTHING_TO_DO`, `INVALID_PLAN`, `INVALID_REASON` and
 * `REQUEST_REUSED`.
 */
export async function changePlanAsOperator(
  { db, clock }: Pick<OperationsDeps, 'db' | 'clock'>,
  operator: Operator,
  tier: PlanTier,
  { changes, reason, requestId }: PlanChangeRequest,
): Promise<void> {
  if (Object.keys(changes).length === 0) {
    throw new TerminalError('NOTHING_TO_DO', 'Nothing to change; name at least one value');
  }
  const action = {
    requestId,
    who: operator.userId,
    what: 'plan.changed',
    subjectId: tier,
    details: { ...changes },
    reason: requireReason(reason),
  } as const;
  await doOnce(db, action, {
    now: clock.now(),
    change: async (trx) => {
      await changePlan(trx, tier, changes);
    },
  });
}
