import {
  isDeclined,
  type OutputRecord,
  publicStateOf,
  seenBaseUnits,
  seenNotDeclinedBaseUnits,
} from '../../../machines/index.ts';
import type { TransactionStep } from './transaction-step.ts';

/**
 * Base units that a payment is shown to have received: everything that came to one that has ended
 * unpaid, and otherwise all but declined coins, which no later decision or completion is about.
 */
export function paidBaseUnits({ state, context }: Standing): bigint {
  return hasEndedUnpaid(state) ? seenBaseUnits(context) : seenNotDeclinedBaseUnits(context);
}

/** Whether an output is left out of `paidBaseUnits` because the merchant declined it. */
export function isLeftOut({ state, context }: Standing): (output: OutputRecord) => boolean {
  return hasEndedUnpaid(state) ? () => false : isDeclined(context);
}

// Helpers

type Standing = Pick<TransactionStep, 'state' | 'context'>;

function hasEndedUnpaid(state: string): boolean {
  const { status, exception } = publicStateOf(state);
  return (status === 'expired' || status === 'failed') && exception === null;
}
