import type { CryptoSymbol, TransactionException, TransactionStatus } from '../../../machines/index.ts';

/** What waits for a merchant. */

/**
 * - `paid_late`        late coins: mark as paid or dismiss
 * - `needs_review`     coins left the address unexplained: confirm or reject
 * - `underpaid`        it ended unpaid although coins are there
 * - `overpaid`         more than was due is confirmed
 * - `coins_on_closed`  coins came after the payment was closed
 * - `unassigned_coins`  more outputs came than a payment takes
 *
 * The first two end with a decision (POST merchant/payments/:id/decisions), the others when somebody settles them with a note.
 */
export type AttentionKindName =
  | 'paid_late'
  | 'needs_review'
  | 'underpaid'
  | 'overpaid'
  | 'coins_on_closed'
  | 'unassigned_coins';

/** GET `merchant/attention/count?mode=`. */
export interface AttentionCount {
  /** As many as the list of open ones has. */
  readonly open: number;
}

/** GET `merchant/attention?mode=&kind=&show=&cursor=&limit=`: open ones, oldest first, or with `show=settled` those, newest first. */
export interface AttentionList {
  readonly items: readonly AttentionItemInfo[];
  /** For the next page; null at the end. */
  readonly cursor: string | null;
}

/** Money as exact decimals, in whole coins and, at the rate locked at creation, in the fiat currency. */
export interface AttentionItemInfo {
  readonly transactionId: string;
  readonly kind: AttentionKindName;
  /** The coins it is about: late, missing, too few, or too many. */
  readonly amountCrypto: string;
  readonly amountFiat: string;
  /** Rises with every change of those coins. */
  readonly revision: number;
  readonly crypto: CryptoSymbol;
  readonly currencyFiat: string;
  readonly dueCrypto: string;
  readonly dueFiat: string;
  readonly paidCrypto: string;
  readonly paidFiat: string;
  /** Of the payment; what is decided is decided about this step. */
  readonly step: number;
  readonly status: TransactionStatus;
  readonly exception: TransactionException | null;
  readonly orderId: string | null;
  readonly customerEmail: string | null;
  /** Those coins have all the confirmations they need; until then they may be lost again. */
  readonly isConfirmed: boolean;
  /** Unix ms. */
  readonly raisedAt: number;
  readonly settledAt: number | null;
  /** Null while it is open. */
  readonly settledBy: AttentionSettler | null;
  readonly note: string | null;
}

export type AttentionSettler =
  | { readonly kind: 'person'; readonly email: string }
  /** A program of the merchant, by the API. */
  | { readonly kind: 'shop' }
  /** Somebody who is no longer with the merchant, or who runs the service. */
  | { readonly kind: 'other' }
  /** Its reason went away. */
  | { readonly kind: 'itself' };

/** Body of POST `merchant/attention/:transactionId/:kind/settle`; answered with 204. */
export interface SettleAttentionBody {
  /** What was done, like "refunded"; 1 to 500 characters. */
  readonly note: string;
  /** `amountCrypto` as it was shown: when it has changed since, nothing is settled. */
  readonly amountCrypto: string;
  /** `revision` as it was shown: when it has changed since, nothing is settled. */
  readonly revision: number;
}
