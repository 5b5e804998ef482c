import { parseBaseUnits } from '../vocabulary/amount.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type UnixMs } from '../vocabulary/time.ts';
import type { OutputRecord, TransactionContext } from './context.ts';
import { liveOutputs, sumBaseUnits } from './outputs.ts';

/**
 * Every decision about money and time, as functions of the context alone. Sums are computed from the whole
 * set of outputs each time and never incremented. "Covers" always allows for the tolerance.
 */

/** Coins first seen this long after the window closed still put the decision to the merchant. */
export const PAID_LATE_WINDOW_MS = 6 * HOUR_MS;
/** How long a verification asked for at the confirmation deadline may take before it is asked for again. */
export const LAST_CHECK_MS = 5 * MINUTE_MS;
/** An address stays watched this long after its window closed. */
export const MONITORING_MS = 30 * DAY_MS;

/** Live coins, confirmed or not: what the customer has sent as far as the chain shows. */
export function seenBaseUnits(context: TransactionContext): bigint {
  return sumBaseUnits(liveOutputs(context.outputs));
}

/** Live coins first seen inside the window. Only these can open the way to completion. */
export function inTimeBaseUnits(context: TransactionContext): bigint {
  return sumBaseUnits(liveOutputs(context.outputs).filter((output) => output.firstSeenAt <= context.expiresAt));
}

/** Coins verified at their required depth. */
export function confirmedBaseUnits(context: TransactionContext): bigint {
  return sumBaseUnits(context.outputs.filter((output) => output.confirmedAt !== null));
}

/** The least sum that pays the transaction. */
export function requiredBaseUnits(context: TransactionContext): bigint {
  const due = parseBaseUnits(context.dueBaseUnits, 'dueBaseUnits');
  return due - parseBaseUnits(context.toleranceBaseUnits, 'toleranceBaseUnits');
}

/** What the customer still has to send: due minus seen, never below zero. */
export function remainingBaseUnits(context: TransactionContext): bigint {
  const missing = parseBaseUnits(context.dueBaseUnits, 'dueBaseUnits') - seenBaseUnits(context);
  return missing > 0n ? missing : 0n;
}

/** The greatest confirmed sum that is not yet "overpaid". */
export function overpaidAboveBaseUnits(context: TransactionContext): bigint {
  const due = parseBaseUnits(context.dueBaseUnits, 'dueBaseUnits');
  return due + parseBaseUnits(context.toleranceBaseUnits, 'toleranceBaseUnits');
}

/**
 * Live outputs that put the decision to the merchant: first seen within the paid-late window, or, once the
 * payment has failed, coins given up for lost that were confirmed after all. Coins that were on their way when
 * the payment failed are of the second kind, however late they were first seen.
 */
export function lateOutputs(context: TransactionContext): OutputRecord[] {
  const lateUntil = context.expiresAt + PAID_LATE_WINDOW_MS;
  return liveOutputs(context.outputs).filter((output) => {
    if (context.acknowledgedOutputIds.includes(output.outputId)) return false;
    const cameLate = output.firstSeenAt > context.expiresAt && output.firstSeenAt <= lateUntil;
    const cameAfterAll = context.failedAt !== null && output.confirmedAt !== null;
    return cameAfterAll || (cameLate && !context.givenUpOutputIds.includes(output.outputId));
  });
}

/** The next chain height at which an output may have its required depth; null when none waits for one. */
export function nextDepthHeight(context: TransactionContext): number | null {
  const heights = unverified(context).map((output) => depthHeight(context, output));
  return heights.length === 0 ? null : Math.min(...heights);
}

/** Outputs whose depth can be verified once the chain has `height`. */
export function outputsDeepAt(context: TransactionContext, height: number): OutputRecord[] {
  return unverified(context).filter((output) => depthHeight(context, output) <= height);
}

/** Coins on their way must be confirmed this long after the last of them was first seen. */
export function confirmationDeadline(context: TransactionContext): UnixMs {
  const lastSeenAt = Math.max(context.createdAt, ...liveOutputs(context.outputs).map((output) => output.firstSeenAt));
  return lastSeenAt + context.confirmationDeadlineMs;
}

/** Outputs in a block whose depth is not verified yet, whether or not that was asked for already. */
export function unconfirmedInBlocks(context: TransactionContext): OutputRecord[] {
  return context.outputs.filter((output) => output.presence === 'block' && output.confirmedAt === null);
}

/** True while an answer about the depth of some output is under way. */
export function isVerifying(context: TransactionContext): boolean {
  return context.outputs.some((output) => output.verifying);
}

/** When the address stops being watched. */
export function monitoringEndsAt(context: TransactionContext): UnixMs {
  return context.expiresAt + MONITORING_MS;
}

// Helpers

function unverified(context: TransactionContext): OutputRecord[] {
  return unconfirmedInBlocks(context).filter((output) => !output.verifying);
}

/** The block an output is in counts as its first confirmation. */
function depthHeight(context: TransactionContext, output: OutputRecord): number {
  return (output.height ?? 0) + context.confirmationsRequired - 1;
}
