import type { PaymentStatus, TransactionException, TransactionStatus } from '../vocabulary/status.ts';
import type { OutputRecord } from './context.ts';

/** The only mapping from the chart's leaf states to the statuses of the merchant interface. */
export const PUBLIC_STATES = {
  'open.awaitingPayment': { status: 'pending', exception: null },
  'open.partiallyPaid': { status: 'partial', exception: null },
  'open.inReview': { status: 'pending', exception: 'needs_review' },
  confirming: { status: 'awaiting_confirmation', exception: null },
  completed: { status: 'completed', exception: null },
  'expired.watching': { status: 'expired', exception: null },
  'expired.paidLate': { status: 'expired', exception: 'paid_late' },
  failed: { status: 'failed', exception: null },
  closedCompleted: { status: 'completed', exception: null },
  closedExpired: { status: 'expired', exception: null },
  closedFailed: { status: 'failed', exception: null },
} as const satisfies Record<string, PublicState>;

export interface PublicState {
  readonly status: TransactionStatus;
  readonly exception: TransactionException | null;
}

export type TransactionState = keyof typeof PUBLIC_STATES;

/** Public state of a leaf path like `open.inReview`. Throws a `RangeError` for an unknown path. */
export function publicStateOf(state: string): PublicState {
  if (!Object.hasOwn(PUBLIC_STATES, state)) throw new RangeError(`unknown transaction state "${state}"`);
  return PUBLIC_STATES[state as TransactionState];
}

/** Status of one on-chain payment. Outputs that no longer count are shown as replaced. */
export function paymentStatusOf(output: Pick<OutputRecord, 'presence' | 'confirmedAt' | 'superseded'>): PaymentStatus {
  if (output.superseded === true) return 'replaced';
  switch (output.presence) {
    case 'gone':
      return 'replaced';
    case 'mempool':
      return 'detected';
    case 'block':
      return output.confirmedAt === null ? 'confirming' : 'confirmed';
  }
}

type Spending = Pick<OutputRecord, 'txid' | 'presence' | 'confirmedAt' | 'superseded' | 'goneReason' | 'spends'>;

/**
 * Whether the output does not count because another transaction spends the coins of its own: the
 * fee was raised, or the coins were spent twice. Outputs that the network dropped are not.
 */
export function isReplaced(output: Spending, all: readonly Spending[]): boolean {
  if (output.txid === null || paymentStatusOf(output) !== 'replaced') return false;
  return output.goneReason === 'replaced' || all.some((other) => isRival(output, other));
}

// Helpers

function isRival({ txid, spends = [] }: Spending, other: Spending): boolean {
  return other.txid !== txid && spends.some((coin) => other.spends?.includes(coin));
}
