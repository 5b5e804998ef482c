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

/**
 * Public state of a leaf path such as `open.inReview`. Throws a `RangeError` for an unknown path.
 */
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

type Spending = Pick<
  OutputRecord,
  'outputId' | 'txid' | 'presence' | 'confirmedAt' | 'superseded' | 'goneReason' | 'spends'
>;

/**
 * Ids of the outputs that do not count because another transaction spends the same coins:
 * the fee was raised, or the coins were spent twice. Outputs that the network dropped are not.
 */
export function replacedIds(outputs: readonly Spending[]): ReadonlySet<string> {
  const spentBy = new Map<string, Set<string | null>>();
  for (const { txid, spends = [], presence } of outputs) {
    if (presence === 'gone') continue;
    for (const coin of spends) spentBy.set(coin, (spentBy.get(coin) ?? new Set()).add(txid));
  }
  const hasRival = ({ txid, spends = [] }: Spending) =>
    spends.some((coin) => [...(spentBy.get(coin) ?? [])].some((other) => other !== txid));
  const replaced = outputs.filter((output) => {
    if (output.txid === null || paymentStatusOf(output) !== 'replaced') return false;
    return output.goneReason === 'replaced' || hasRival(output);
  });
  return new Set(replaced.map(({ outputId }) => outputId));
}
