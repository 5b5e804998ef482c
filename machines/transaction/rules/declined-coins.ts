import { sumBaseUnits } from '../../vocabulary/amount.ts';
import type { OutputRecord, TransactionContext } from '../context.ts';
import { isMoneyOf } from '../decided-money.ts';
import { liveOutputs } from '../outputs.ts';
import { isWithin, limitsOf } from './in-time-limits.ts';
import { isLive } from './live.ts';

/**
 * Coins that the merchant has declined: dismissed because they came late, present when the payment
 * was rejected, or settled after it had ended unpaid. They may have been refunded, so they pay
 * nothing any more, whatever turns out about them later, also under the id of a replacement.
 */
export function isDeclined(context: TransactionContext): (output: OutputRecord) => boolean {
  const { acknowledgedOutputIds, declinedOutputIds = [], givenUpOutputIds, failedBy } = context;
  if (acknowledgedOutputIds.length === 0) return () => false;
  const isAcknowledged = isMoneyOf(acknowledgedOutputIds, context);
  const isDeclinedAnyway = isMoneyOf(declinedOutputIds, context);
  const isGivenUp = isMoneyOf(givenUpOutputIds, context);
  const limits = limitsOf(context);
  // A missed deadline acknowledges what was confirmed in time, without a decision.
  const isOfDeadline = (output: OutputRecord) =>
    failedBy === 'deadline' && isWithin(output, limits) && !isGivenUp(output);
  return (output) => isAcknowledged(output) && (isDeclinedAnyway(output) || !isOfDeadline(output));
}

/** Coins beyond what a decision covered. */
export interface CoinsBeyond {
  readonly baseUnits: bigint;
  readonly outputs: readonly OutputRecord[];
}

/**
 * What transactions that were mined again pay beyond what was declined of them, each with all its
 * outputs. The whole of it is declined, so a person must look at the rest.
 */
export function beyondDeclined(context: TransactionContext): CoinsBeyond {
  const declines = isDeclined(context);
  const named = new Set(context.acknowledgedOutputIds);
  const before = context.outputs.filter((output) => named.has(output.outputId) && !isLive(output));
  const txids = [...new Set(before.flatMap(({ txid }) => txid ?? []))];
  const beyond = txids.map((txid) => {
    const isOfIt = (output: OutputRecord) => output.txid === txid;
    const outputs = liveOutputs(context.outputs).filter((each) => isOfIt(each) && declines(each));
    const again = outputs.filter(({ outputId }) => !named.has(outputId));
    return { outputs, baseUnits: sumBaseUnits(again) - sumBaseUnits(before.filter(isOfIt)) };
  });
  const more = beyond.filter(({ baseUnits }) => baseUnits > 0n);
  return {
    baseUnits: more.reduce((sum, { baseUnits }) => sum + baseUnits, 0n),
    outputs: more.flatMap(({ outputs }) => outputs),
  };
}
