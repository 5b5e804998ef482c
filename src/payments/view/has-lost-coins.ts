import { MAX_TOLERANCE_BASIS_POINTS, type TransactionStatus } from '../../../machines/index.ts';

interface Completion {
  readonly status: TransactionStatus;
  readonly completed_by: string | null;
  readonly due_base_units: bigint;
  readonly paid_base_units: bigint;
}

/**
 * Whether coins that a payment was completed with have left the chain again (a deep
 * reorganisation): less is left than any tolerance allows. It stays `completed`, because the shop
 * was told so. A payment that a user accepted may have had less from the start.
 */
export function hasLostCoins(payment: Completion): boolean {
  if (payment.status !== 'completed' || payment.completed_by !== 'chain') return false;
  return payment.paid_base_units * 10_000n < payment.due_base_units * BigInt(10_000 - MAX_TOLERANCE_BASIS_POINTS);
}
