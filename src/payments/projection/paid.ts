import { publicStateOf, seenBaseUnits, seenNotDeclinedBaseUnits } from '../../../machines/index.ts';
import type { TransactionStep } from './transaction-step.ts';

/**
 * Base units that a payment is shown to have received: everything that came to one that has ended
 * unpaid, and otherwise all but declined coins, which no later decision or completion is about.
 */
export function paidBaseUnits({ state, context }: Pick<TransactionStep, 'state' | 'context'>): bigint {
  const { status, exception } = publicStateOf(state);
  const hasEndedUnpaid = (status === 'expired' || status === 'failed') && exception === null;
  return hasEndedUnpaid ? seenBaseUnits(context) : seenNotDeclinedBaseUnits(context);
}
