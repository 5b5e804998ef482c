import { MINUTE_MS, type UnixMs } from '../../vocabulary/time.ts';
import type { OutputRecord, Review, TransactionContext } from '../context.ts';
import { isInTime } from './in-time.ts';
import { isLive } from './live.ts';
import {
  confirmedBaseUnits,
  everInTimeBaseUnits,
  inTimeBaseUnits,
  seenBaseUnits,
  seenNotDeclinedBaseUnits,
} from './sums.ts';
import { coversDue, requiredBaseUnits } from './tolerance.ts';

/** Coins that were seen in time and are gone: when that is final, and what explains a review. */

const LOSS_SETTLES_MS = 20 * MINUTE_MS;

const REGTEST_LOSS_SETTLES_MS = 5_000;

/**
 * How long outputs that disappeared after the window must stay gone until they count as lost, in
 * ms: 20 minutes, enough for most nodes to restart and load their mempool. 5 seconds on regtest,
 * which has no other nodes to wait for.
 */
export function lossSettlesMs(network: string): number {
  return network.endsWith('-regtest') ? REGTEST_LOSS_SETTLES_MS : LOSS_SETTLES_MS;
}

/** Coins first seen inside the window that do not count now. */
export function lostInTime(context: TransactionContext): OutputRecord[] {
  return context.outputs.filter((output) => isInTime(context, output) && !isLive(output));
}

/**
 * When a shortfall becomes final: once losses that have each lasted long enough account for it,
 * regardless of later losses. With nothing left, once all of them have; then the payment fails.
 * Null while coins in time cover the due amount.
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

/**
 * Base units that must be left of a completed payment for it to stay paid: what is due, less
 * tolerance. If a merchant accepted less, then the same share of that.
 */
export function staysPaidWithBaseUnits(context: TransactionContext): bigint {
  const required = requiredBaseUnits(context);
  if (context.completedBy !== 'merchant') return required;
  const settled = BigInt(context.settledBaseUnits ?? context.dueBaseUnits);
  const kept = settled - (settled * BigInt(context.toleranceBaseUnits)) / BigInt(context.dueBaseUnits);
  return kept < required ? kept : required;
}

/**
 * Base units that pay a completed payment, as the chain shows: those left there, less what users
 * have settled as too much, unless that was the return of a loss. Below zero when coins have gone
 * that a user had refunded.
 */
export function leftBaseUnits(context: TransactionContext): bigint {
  return seenNotDeclinedBaseUnits(context) - refundedBaseUnits(context);
}

/** Whether less is left on the chain than a completed payment was settled with. */
export function lostSettledCoins(context: TransactionContext): boolean {
  return context.completedAt !== null && leftBaseUnits(context) < staysPaidWithBaseUnits(context);
}

/** As `leftBaseUnits`, of the confirmed coins. */
export function confirmedLeftBaseUnits(context: TransactionContext): bigint {
  return confirmedBaseUnits(context) - refundedBaseUnits(context);
}

/** What the merchant has of a completed payment, with what made up for a loss. */
export function balanceBaseUnits(context: TransactionContext): bigint {
  return seenNotDeclinedBaseUnits(context) + settledBalance(context);
}

/** As `balanceBaseUnits`, of the confirmed coins. */
export function confirmedBalanceBaseUnits(context: TransactionContext): bigint {
  return confirmedBaseUnits(context) + settledBalance(context);
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
  const isAllFound = found - countedBaseUnits(context.review) >= BigInt(missingBaseUnits);
  return isAllFound || coversDue(context, inTimeBaseUnits(context));
}

// Helpers

/**
 * Coins that the balance counted before the drop and that the payment did not know yet: the drop
 * was processed before their observations. They are not the missing ones.
 */
function countedBaseUnits({ seenAtStartBaseUnits, shortfalls = [] }: Review): bigint {
  const first = shortfalls.find(({ seenBaseUnits }) => seenBaseUnits === seenAtStartBaseUnits);
  const unknown = BigInt(first?.expectedBaseUnits ?? '0') - BigInt(seenAtStartBaseUnits);
  return unknown > 0n ? unknown : 0n;
}

/** What users have settled: losses that were made up for, less what was too much. */
function settledBalance({ surplusSettledBaseUnits, lossSettledBaseUnits }: TransactionContext): bigint {
  return BigInt(lossSettledBaseUnits ?? '0') - BigInt(surplusSettledBaseUnits ?? '0');
}

function refundedBaseUnits(context: TransactionContext): bigint {
  const settled = settledBalance(context);
  return settled < 0n ? -settled : 0n;
}
