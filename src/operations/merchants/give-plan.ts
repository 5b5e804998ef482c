import type { UnixMs } from '../../../machines/index.ts';
import { assignPlan } from '../../billing/index.ts';
import { type PlanTier, userAuthor, writeAudit } from '../../merchants/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { doOnce } from '../actions/action-log.ts';
import { requireReason } from '../actions/operator-events.ts';
import type { OperationsDeps } from '../actors/population.ts';
import type { Operator } from '../types.ts';
import { merchantNotFound } from './list-merchants.ts';

export interface GivePlanRequest {
  readonly tier: PlanTier;
  /** Null: no end. */
  readonly expiresAt: UnixMs | null;
  readonly reason: string;
  /** Idempotency key of the request. */
  readonly requestId: string;
}

/**
 * Assigns a plan to a merchant immediately, replacing the current one. Recorded in the merchant's
 * audit log and among the operator actions. Throws `MERCHANT_NOT_FOUND`, `INVALID_REQUEST` for an
 * end in the past, `INVALID_REASON` and `REQUEST_REUSED`.
 */
export async function giveMerchantPlan(
  { db, clock }: Pick<OperationsDeps, 'db' | 'clock'>,
  operator: Operator,
  merchantId: string,
  { tier, expiresAt, reason, requestId }: GivePlanRequest,
): Promise<void> {
  const now = clock.now();
  if (expiresAt !== null && expiresAt <= now) {
    throw new TerminalError('INVALID_REQUEST', 'expiresAt has passed; omit it for a plan that does not expire', {
      field: 'expiresAt',
    });
  }
  const details = { tier, expiresAt };
  const action = {
    requestId,
    who: operator.userId,
    what: 'merchant.plan_assigned',
    subjectId: merchantId,
    details,
    reason: requireReason(reason),
  } as const;
  await doOnce(db, action, {
    now,
    change: async (trx) => {
      const merchant = await trx
        .selectFrom('merchant')
        .select('name')
        .where('id', '=', merchantId)
        .forUpdate()
        .executeTakeFirst();
      if (merchant === undefined) throw merchantNotFound(merchantId);
      await assignPlan(trx, { merchantName: merchant.name, tier, expiresAt });
      const change = { trx, who: userAuthor(operator.userId), now };
      await writeAudit(change, { merchantId, what: 'merchant.plan_assigned', subjectId: merchantId, details });
    },
  });
}
