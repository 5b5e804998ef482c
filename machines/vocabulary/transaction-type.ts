/** Created with the basic or the detailed request; `billing` pays for a plan of this service. */
export const TRANSACTION_TYPES = ['basic', 'detailed', 'billing'] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];
