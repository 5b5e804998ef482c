import type { Caller } from '../../merchants/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { derivedId } from '../../platform/ids.ts';
import { getTransaction, type ReadDeps } from '../view/get-transaction.ts';
import type { TransactionView } from '../view/merchant-view.ts';
import { type DecideDeps, decideTransaction } from './decide-transaction.ts';
import type { PaymentDecision } from './decision.ts';
import { emailKeyDecisions } from './email-key-decisions.ts';

export interface DecideWithKeyDeps extends DecideDeps, ReadDeps {
  readonly clock: Clock;
}

/** A decision as the merchant's own program sends it. */
export interface KeyDecision {
  readonly transactionId: string;
  readonly action: PaymentDecision;
  readonly reason: string;
  readonly seenStep: number;
}

/**
 * `decideTransaction` for the holder of an API key, and the transaction afterwards. The same
 * decision with the same key is idempotent. Owners receive emails about live decisions.
 */
export async function decideWithKey(
  deps: DecideWithKeyDeps,
  caller: Caller,
  { transactionId, action, reason, seenStep }: KeyDecision,
): Promise<TransactionView<string>> {
  const { keyId: by, merchantId } = caller;
  const requestId = derivedId('req', transactionId, action, reason, seenStep, by);
  await decideTransaction(deps, caller, { transactionId, decision: action, reason, seenStep, by, requestId });
  if (caller.mode === 'live') {
    await emailKeyDecisions(deps.db, { merchantId, transactionId, now: deps.clock.now() });
  }
  return getTransaction(deps, caller, transactionId);
}
