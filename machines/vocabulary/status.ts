/**
 * The statuses merchants see, mapped from the finer chart states in `transaction/public-status.ts`.
 */
export const TRANSACTION_STATUSES = [
  'pending',
  'awaiting_confirmation',
  'completed',
  'partial',
  'expired',
  'failed',
] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** Why a transaction waits for the merchant's decision. */
export const TRANSACTION_EXCEPTIONS = ['paid_late', 'needs_review'] as const;
export type TransactionException = (typeof TRANSACTION_EXCEPTIONS)[number];

/** Status of one on-chain payment of a transaction. */
export const PAYMENT_STATUSES = ['detected', 'confirming', 'confirmed', 'replaced'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];
