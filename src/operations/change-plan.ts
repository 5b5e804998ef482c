import { changePlanWith, listPlans, type Plan, type PlanChanges } from '../billing/index.ts';
import { TerminalError } from '../errors.ts';
import type { PlanTier } from '../plan-tiers.ts';
import { doOnce } from './operator-actions.ts';
import { requireReason } from './operator-events.ts';
import type { OperationsDeps } from './population.ts';
import type { Operator } from './types.ts';

export interface PlanChangeRequest {
  readonly changes: PlanChanges;
  readonly reason: string;
  /** Makes a repeated request one request. */
  readonly requestId: string;
}

/** What all tiers cost and allow, also where plans are switched off and it counts for nothing. */
export function listAllPlans({ db }: Pick<OperationsDeps, 'db'>): Promise<Plan[]> {
  return listPlans({ db }, { plansEnabled: true });
}

/**
 * Changes what a tier costs and allows, from now on and for everybody who has it, and keeps who did so and why. Throws
 * `NOTHING_TO_DO`, `INVALID_PLAN`, `INVALID_REASON` and `REQUEST_REUSED`.
 */
export async function changePlanAsOperator(
  { db, clock }: Pick<OperationsDeps, 'db' | 'clock'>,
  operator: Operator,
  tier: PlanTier,
  { changes, reason, requestId }: PlanChangeRequest,
): Promise<void> {
  if (Object.keys(changes).length === 0) {
    throw new TerminalError('NOTHING_TO_DO', 'Nothing to change is named; say what shall be different');
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
    deed: async (trx) => {
      await changePlanWith(trx, tier, changes);
    },
  });
}
