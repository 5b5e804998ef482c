import { approveMerchant, userAuthor } from '../../merchants/index.ts';
import { doOnce } from '../actions/action-log.ts';
import { requireReason } from '../actions/operator-events.ts';
import type { OperationsDeps } from '../actors/population.ts';
import type { Operator } from '../types.ts';
import { merchantNotFound } from './list-merchants.ts';

export interface ApproveRequest {
  readonly reason: string;
  /** Idempotency key of the request. */
  readonly requestId: string;
}

/**
 * Approves a merchant that signed up, so that it may send emails to its customers, and records it
 * in the merchant's audit log and the operator log. Approving it again only adds log entries.
 * Throws `MERCHANT_NOT_FOUND`, `INVALID_REASON` and `REQUEST_REUSED`.
 */
export async function approveAsOperator(
  { db, clock }: Pick<OperationsDeps, 'db' | 'clock'>,
  operator: Operator,
  merchantId: string,
  { reason, requestId }: ApproveRequest,
): Promise<void> {
  const now = clock.now();
  const action = {
    requestId,
    who: operator.userId,
    what: 'merchant.approved',
    subjectId: merchantId,
    details: {},
    reason: requireReason(reason),
  } as const;
  await doOnce(db, action, {
    now,
    change: async (trx) => {
      const merchant = await trx.selectFrom('merchant').select('id').where('id', '=', merchantId).executeTakeFirst();
      if (merchant === undefined) throw merchantNotFound(merchantId);
      await approveMerchant({ trx, who: userAuthor(operator.userId), now }, merchantId);
    },
  });
}
