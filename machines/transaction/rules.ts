import { parseBaseUnits } from '../vocabulary/amount.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type UnixMs } from '../vocabulary/time.ts';
import type { OutputRecord, TransactionContext } from './context.ts';
import { isMoneyOf, liveOutputs, type OutputEvent } from './outputs.ts';
import { isLive, isSentAgainAfter, isWithin, type Tally, type TimeLimits, tallyOf } from './sums.ts';

/**
 * Every decision about money and time, as a function of the context alone. Sums are computed from
 * the whole set of outputs each time, never incremented. "Covers" always allows for the tolerance.
 */

/** Coins first seen up to this long after the window need the merchant's decision. */
export const PAID_LATE_WINDOW_MS = 6 * HOUR_MS;
/** A verification unanswered for this long is requested again. */
export const VERIFICATION_OVERDUE_MS = 10 * MINUTE_MS;
/** An address stays watched for this long after its window closed. */
export const MONITORING_MS = 30 * DAY_MS;

/** Live coins, confirmed or not: what the customer has sent as far as the chain shows. */
export function seenBaseUnits(context: TransactionContext): bigint {
  return tallyIn(context).seen;
}

/** Live coins in time; see `isInTime`. Only these can lead to completion. */
export function inTimeBaseUnits(context: TransactionContext): bigint {
  return tallyIn(context).inTime;
}

/** Coins first seen inside the window, including those gone since. */
export function everInTimeBaseUnits(context: TransactionContext): bigint {
  return tallyIn(context).everInTime;
}

/** Coins verified at their required depth. */
export function confirmedBaseUnits(context: TransactionContext): bigint {
  return tallyIn(context).confirmed;
}

/** Coins seen inside the window and verified at depth. Late coins never complete a payment. */
export function confirmedInTimeBaseUnits(context: TransactionContext): bigint {
  return tallyIn(context).confirmedInTime;
}

/** The smallest sum that pays the transaction: due less tolerance. */
export function requiredBaseUnits(context: TransactionContext): bigint {
  const due = parseBaseUnits(context.dueBaseUnits, 'dueBaseUnits');
  return due - parseBaseUnits(context.toleranceBaseUnits, 'toleranceBaseUnits');
}

/** What the customer still has to send: due minus seen, never below zero. */
export function remainingBaseUnits(context: TransactionContext): bigint {
  const missing = parseBaseUnits(context.dueBaseUnits, 'dueBaseUnits') - seenBaseUnits(context);
  return missing > 0n ? missing : 0n;
}

/** The largest confirmed sum that is not "overpaid": due plus tolerance. */
export function overpaidAboveBaseUnits(context: TransactionContext): bigint {
  const due = parseBaseUnits(context.dueBaseUnits, 'dueBaseUnits');
  return due + parseBaseUnits(context.toleranceBaseUnits, 'toleranceBaseUnits');
}

/**
 * Whether an output was first seen inside the window. A replacement has the first sighting of what
 * it replaces, but only up to the confirmation deadline after the window: a transaction that was
 * shown once and taken back must not keep the rate for as long as the address is watched.
 */
export function isInTime(context: TransactionContext, output: OutputRecord): boolean {
  return isWithin(output, limitsOf(context));
}

/**
 * Live outputs that need the merchant's decision: first seen within the paid-late window, sent
 * again after the deadline in place of others in time, or given up when the payment missed its
 * deadline and confirmed since. Anything else is only recorded and shown.
 */
export function lateOutputs(context: TransactionContext): OutputRecord[] {
  const limits = limitsOf(context);
  const lateUntil = context.expiresAt + PAID_LATE_WINDOW_MS;
  const isDecided = isMoneyOf(context.acknowledgedOutputIds, context.outputs);
  const isGivenUp = isMoneyOf(context.givenUpOutputIds, context.outputs);
  return liveOutputs(context.outputs).filter((output) => {
    if (isDecided(output)) return false;
    const cameLate = output.firstSeenAt > context.expiresAt && output.firstSeenAt <= lateUntil;
    const cameAgain = output.firstSeenAt <= context.expiresAt && isSentAgainAfter(output, limits);
    return isGivenUp(output) ? output.confirmedAt !== null : cameLate || cameAgain;
  });
}

/** Whether a decision or a failure already covers these coins, under this id or a previous one. */
export function isAcknowledged(context: TransactionContext, output: OutputRecord): boolean {
  return isMoneyOf(context.acknowledgedOutputIds, context.outputs)(output);
}

/** Whether these coins were unconfirmed at the deadline, under this id or a previous one. */
export function wasGivenUp(context: TransactionContext, output: OutputRecord): boolean {
  return isMoneyOf(context.givenUpOutputIds, context.outputs)(output);
}

/** The next chain height at which an output may reach its required depth; null when none waits. */
export function nextDepthHeight(context: TransactionContext): number | null {
  const heights = unverified(context).map((output) => depthHeight(context, output));
  return heights.length === 0 ? null : Math.min(...heights);
}

/** Outputs whose depth can be verified once the chain has `height`. */
export function outputsDeepAt(context: TransactionContext, height: number): OutputRecord[] {
  return unverified(context).filter((output) => depthHeight(context, output) <= height);
}

/**
 * When the coins that cover the due amount must be in blocks: a fixed time after the last one
 * needed was first seen, or returned to the mempool (a deadline that passed while it was away fails
 * nothing). Dust, surplus and late coins do not move it. Null once coins seen in time cover the
 * amount in blocks. Also null while coins in time fall short: a loss has its own timeout, and coins
 * that reappear must not meet a deadline that passed in the meantime.
 */
export function confirmationDeadline(context: TransactionContext): UnixMs | null {
  const required = requiredBaseUnits(context);
  const { minedInTime, inTime } = tallyIn(context);
  if (minedInTime >= required || inTime < required) return null;
  let [sum, lastNeededAt] = [0n, context.createdAt];
  for (const output of context.outputs) {
    if (sum >= required) break;
    if (!isLive(output) || !isInTime(context, output)) continue;
    sum += BigInt(output.amountBaseUnits);
    lastNeededAt = Math.max(lastNeededAt, output.backSince ?? output.firstSeenAt);
  }
  return lastNeededAt + context.confirmationDeadlineMs;
}

/** Coins first seen inside the window that do not count now. */
export function lostInTime(context: TransactionContext): OutputRecord[] {
  return context.outputs.filter((output) => isInTime(context, output) && !isLive(output));
}

/**
 * When a shortfall becomes final: once losses that have each lasted long enough account for it,
 * whatever was lost later. With nothing left, once all of them have; then the payment fails. Null
 * while coins in time cover the due amount.
 */
export function lossSettlesAt(context: TransactionContext): UnixMs | null {
  const required = requiredBaseUnits(context);
  if (inTimeBaseUnits(context) >= required) return null;
  const lost = lostInTime(context).map(({ outputId, amountBaseUnits }) => ({
    amountBaseUnits,
    since: context.lostSince?.[outputId] ?? context.updatedAt,
  }));
  lost.sort((a, b) => a.since - b.since);
  let left = everInTimeBaseUnits(context);
  const settling = lost.find(({ amountBaseUnits }) => {
    left -= BigInt(amountBaseUnits);
    return left < required;
  });
  const decisive = seenBaseUnits(context) === 0n ? lost.at(-1) : settling;
  return (decisive?.since ?? context.updatedAt) + context.lossSettlesMs;
}

/** Adapts an observation: where depth is required, a block lock only means "in a block". */
export function asObserved(context: TransactionContext, event: OutputEvent): OutputEvent {
  if (event.type !== 'chain.output_confirmed' || event.byLock !== true || context.waitsForDepth !== true) return event;
  const { byLock: _, ...placed } = event;
  return { ...placed, type: 'chain.output_mined' };
}

/** True while the depth verification of some output is pending. */
export function isVerifying(context: TransactionContext): boolean {
  return context.outputs.some((output) => output.verifying);
}

/**
 * Whether coins found since the review began make up the missing sum or pay the transaction. Less
 * explains nothing: dust would end the review and extend the rate again.
 */
export function isMissingPaymentFound(context: TransactionContext): boolean {
  if (context.review === null) return false;
  const { seenAtStartBaseUnits, missingBaseUnits } = context.review;
  const found = seenBaseUnits(context) - BigInt(seenAtStartBaseUnits);
  if (found <= 0n) return false;
  return found >= BigInt(missingBaseUnits) || inTimeBaseUnits(context) >= requiredBaseUnits(context);
}

/** When the address stops being watched. Unix ms. */
export function monitoringEndsAt(context: TransactionContext): UnixMs {
  return context.expiresAt + MONITORING_MS;
}

// Helpers

function tallyIn(context: TransactionContext): Tally {
  return tallyOf(context.outputs, limitsOf(context));
}

/**
 * While a review has stopped the clock before the end of the window, all coins are in time:
 * `expiresAt` will move past them.
 */
function limitsOf({ review, expiresAt, confirmationDeadlineMs }: TransactionContext): TimeLimits {
  const clockStands = review !== null && review.resolvedAt === null && review.startedAt <= expiresAt;
  const firstSeenUntil = clockStands ? Number.POSITIVE_INFINITY : expiresAt;
  return { firstSeenUntil, sentAgainUntil: firstSeenUntil + confirmationDeadlineMs };
}

function unverified(context: TransactionContext): OutputRecord[] {
  return context.outputs.filter(
    (output) => output.presence === 'block' && output.confirmedAt === null && !output.verifying,
  );
}

/** The output's own block is its first confirmation. */
function depthHeight(context: TransactionContext, output: OutputRecord): number {
  return (output.height ?? 0) + context.confirmationsRequired - 1;
}
