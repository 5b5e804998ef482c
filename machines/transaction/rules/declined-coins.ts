import type { OutputRecord, TransactionContext } from '../context.ts';
import { isMoneyOf } from '../outputs.ts';
import { isWithin, limitsOf } from './in-time-limits.ts';

/**
 * Coins that the merchant has declined: dismissed because they came late, present when the payment
 * was rejected, or settled after it had ended unpaid. They may have been refunded, so they pay
 * nothing any more, whatever turns out about them later, also under the id of a replacement.
 */
export function isDeclined(context: TransactionContext): (output: OutputRecord) => boolean {
  const { outputs, acknowledgedOutputIds, declinedOutputIds = [], givenUpOutputIds, failedBy } = context;
  if (acknowledgedOutputIds.length === 0) return () => false;
  const isAcknowledged = isMoneyOf(acknowledgedOutputIds, outputs);
  const isDeclinedAnyway = isMoneyOf(declinedOutputIds, outputs);
  const isGivenUp = isMoneyOf(givenUpOutputIds, outputs);
  const limits = limitsOf(context);
  // A missed deadline acknowledges what was confirmed in time, without a decision.
  const isOfDeadline = (output: OutputRecord) =>
    failedBy === 'deadline' && isWithin(output, limits) && !isGivenUp(output);
  return (output) => isAcknowledged(output) && (isDeclinedAnyway(output) || !isOfDeadline(output));
}
