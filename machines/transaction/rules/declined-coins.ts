import type { OutputRecord, TransactionContext } from '../context.ts';
import { isMoneyOf } from '../outputs.ts';
import { limitsOf, type Tally, tallyIn, tallyOf } from './sums.ts';
import { isInTime } from './window.ts';

/**
 * Coins that the merchant has declined: dismissed because they came late, or present when the
 * payment was rejected. They pay nothing any more, because they may have been refunded.
 */

/** The outputs without the declined ones, which are those under a previous id too. */
export function outputsNotDeclined(context: TransactionContext): readonly OutputRecord[] {
  const { outputs, acknowledgedOutputIds, givenUpOutputIds, failedBy } = context;
  if (acknowledgedOutputIds.length === 0) return outputs;
  const isAcknowledged = isMoneyOf(acknowledgedOutputIds, outputs);
  const isGivenUp = isMoneyOf(givenUpOutputIds, outputs);
  // A missed deadline acknowledges what was confirmed in time, which nobody has decided about.
  const isOfDeadline = (output: OutputRecord) =>
    failedBy === 'deadline' && isInTime(context, output) && !isGivenUp(output);
  return outputs.filter((output) => !isAcknowledged(output) || isOfDeadline(output));
}

/** The sums without declined coins: what a completion is settled with. */
export function tallyNotDeclined(context: TransactionContext): Tally {
  const outputs = outputsNotDeclined(context);
  return outputs === context.outputs ? tallyIn(context) : tallyOf(outputs, limitsOf(context));
}
