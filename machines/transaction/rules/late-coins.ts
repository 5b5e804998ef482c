import { HOUR_MS } from '../../vocabulary/time.ts';
import type { OutputRecord, TransactionContext } from '../context.ts';
import { isMoneyOf } from '../decided-money.ts';
import { liveOutputs } from '../outputs.ts';
import { isInTime } from './in-time.ts';
import { isSentAgainAfter, limitsOf } from './in-time-limits.ts';

/** Coins that arrived too late to complete a payment, and what was decided about them. */

/** Coins first seen up to this long after the window need the merchant's decision. */
export const PAID_LATE_WINDOW_MS = 6 * HOUR_MS;

/**
 * Live outputs that need the merchant's decision: first seen within the paid-late window, sent
 * again after the deadline in place of others in time, or given up when the payment missed its
 * deadline and confirmed since. Anything else is only recorded and shown.
 */
export function lateOutputs(context: TransactionContext): OutputRecord[] {
  const limits = limitsOf(context);
  const lateUntil = context.expiresAt + PAID_LATE_WINDOW_MS;
  const isDecided = isMoneyOf(context.acknowledgedOutputIds, context);
  const isGivenUp = isMoneyOf(context.givenUpOutputIds, context);
  return liveOutputs(context.outputs).filter((output) => {
    if (isDecided(output)) return false;
    const cameLate = output.firstSeenAt > context.expiresAt && output.firstSeenAt <= lateUntil;
    const cameAgain = output.firstSeenAt <= context.expiresAt && isSentAgainAfter(output, limits);
    return isGivenUp(output) ? output.confirmedAt !== null : cameLate || cameAgain;
  });
}

/** Whether a decision or a failure already covers these coins, under this id or a previous one. */
export function isAcknowledged(context: TransactionContext, output: OutputRecord): boolean {
  return isMoneyOf(context.acknowledgedOutputIds, context)(output);
}

/** Whether these coins came in time, but were unconfirmed when the deadline passed. */
export function missedDeadline(context: TransactionContext, output: OutputRecord): boolean {
  return wasGivenUp(context, output) && isInTime(context, output);
}

/** Whether these coins were unconfirmed at the deadline, under this id or a previous one. */
export function wasGivenUp(context: TransactionContext, output: OutputRecord): boolean {
  return isMoneyOf(context.givenUpOutputIds, context)(output);
}
