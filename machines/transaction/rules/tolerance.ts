import { parseBaseUnits } from '../../vocabulary/amount.ts';
import type { TransactionContext } from '../context.ts';
import { requireWhole } from './require-whole.ts';
import { seenBaseUnits } from './sums.ts';

/**
 * What pays a transaction: the due amount, less or more by the tolerance agreed at its creation.
 */

/** 5 %: a larger shortfall cannot be explained by an exchange's withdrawal fee. */
export const MAX_TOLERANCE_BASIS_POINTS = 500;

const BASIS_POINTS_OF_ALL = 10_000n;

/** Tolerated underpayment in base units, rounded down. 50 basis points are 0.5 %. */
export function toleranceBaseUnits(dueBaseUnits: bigint, basisPoints: number): bigint {
  requireWhole('the tolerance in basis points', basisPoints, 0, MAX_TOLERANCE_BASIS_POINTS);
  if (dueBaseUnits < 0n) throw new RangeError(`dueBaseUnits cannot be negative, got ${dueBaseUnits}`);
  return (dueBaseUnits * BigInt(basisPoints)) / BASIS_POINTS_OF_ALL;
}

/** The smallest sum that pays the transaction: due less tolerance. */
export function requiredBaseUnits(context: TransactionContext): bigint {
  const due = parseBaseUnits(context.dueBaseUnits, 'dueBaseUnits');
  return due - parseBaseUnits(context.toleranceBaseUnits, 'toleranceBaseUnits');
}

/** Whether that sum pays the transaction: it is short of what is due by the tolerance at most. */
export function coversDue(context: TransactionContext, baseUnits: bigint): boolean {
  return baseUnits >= requiredBaseUnits(context);
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

/** Whether that sum is more than the transaction needs, by more than the tolerance. */
export function isOverpaid(context: TransactionContext, baseUnits: bigint): boolean {
  return baseUnits > overpaidAboveBaseUnits(context);
}
