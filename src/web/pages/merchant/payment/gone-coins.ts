import type { PaymentInfo } from '../../../../http/console/merchant/payment/schemas.ts';
import { amountText } from '../../../ui/values/amount-text.ts';

type Split = PaymentInfo['splits'][number];

/** What is known of coins that were seen. */
export type SeenSplit = Pick<Split, 'status'> & Partial<Pick<Split, 'txid' | 'amount' | 'isReplaced'>>;

interface SeenCoins extends Pick<PaymentInfo, 'crypto'> {
  readonly splits: readonly SeenSplit[];
}

/** What was seen of an unpaid payment and does not count any more; null when there is none. */
export function goneIn({ splits, crypto }: SeenCoins): string | null {
  const counted = new Set(splits.flatMap(({ status, txid }) => (status === 'replaced' ? [] : [txid])));
  // A transaction that moved to another block is listed twice.
  const gone = splits.filter(
    ({ status, txid }) => status === 'replaced' && typeof txid === 'string' && !counted.has(txid),
  );
  const dropped = gone.filter(({ isReplaced }) => isReplaced !== true);
  const [first] = dropped;
  if (first?.amount !== undefined) {
    return dropped.length === 1
      ? `${amountText(first.amount.crypto, crypto)} was seen, but is no longer on the network.`
      : `${dropped.length} transactions were seen, but are no longer on the network.`;
  }
  return gone.length > 0 && counted.size === 0
    ? 'A transaction was seen, but was replaced by another one and does not count.'
    : null;
}

/** Whether other transactions spend all coins that are gone, so that they do not return. */
export function areAllReplaced(splits: readonly SeenSplit[]): boolean {
  const gone = splits.filter(({ status }) => status === 'replaced');
  return gone.length > 0 && gone.every(({ isReplaced }) => isReplaced === true);
}
