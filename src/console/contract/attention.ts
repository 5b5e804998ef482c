import type { CryptoSymbol, TransactionException, TransactionStatus } from '../../../machines/index.ts';

/** Items that need the merchant's attention. */

/**
 * - `paid_late`         late coins: mark as paid or dismiss
 * - `needs_review`      coins left the address unexplained: confirm or reject
 * - `underpaid`         it ended unpaid although coins arrived
 * - `overpaid`          more than the amount due is confirmed
 * - `coins_on_closed`   coins arrived after the payment was closed
 * - `unassigned_coins`  more outputs arrived than a payment accepts
 *
 * The first two end with a decision (POST merchant/payments/:id/decisions), the others when a user
 * settles them with a note.
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
  /** The number of open items in the list. */
  readonly open: number;
}

/**
 * GET `merchant/attention?mode=&kind=&show=&cursor=&limit=`: open items, oldest first, or with
 * `show=settled` settled ones, newest first.
 */
export interface AttentionList {
  readonly items: readonly AttentionItemInfo[];
  /** Cursor of the next page; null at the end. */
  readonly cursor: string | null;
}

/**
 * Amounts are exact decimals, in whole coins and, at the rate locked at creation, in the fiat
 * currency.
 */
export interface AttentionItemInfo {
  readonly transactionId: string;
  readonly kind: AttentionKindName;
  /** The coins in question: late, missing, too few, or too many. */
  readonly amountCrypto: string;
  readonly amountFiat: string;
  /** Increases with every change of those coins. */
  readonly revision: number;
  readonly crypto: CryptoSymbol;
  readonly currencyFiat: string;
  readonly dueCrypto: string;
  readonly dueFiat: string;
  readonly paidCrypto: string;
  readonly paidFiat: string;
  /** Step of the payment that a decision refers to. */
  readonly step: number;
  readonly status: TransactionStatus;
  readonly exception: TransactionException | null;
  readonly orderId: string | null;
  readonly customerEmail: string | null;
  /** Those coins have all required confirmations; until then they may still be lost. */
  readonly isConfirmed: boolean;
  /** Unix ms. */
  readonly raisedAt: number;
  readonly settledAt: number | null;
  /** Null while open. */
  readonly settledBy: AttentionSettler | null;
  readonly note: string | null;
}

export type AttentionSettler =
  | { readonly kind: 'person'; readonly email: string }
  /** A program of the merchant, through the API. */
  | { readonly kind: 'shop' }
  /** A user who is no longer with the merchant, or an operator. */
  | { readonly kind: 'other' }
  /** The reason no longer applies. */
  | { readonly kind: 'itself' };

/** Body of POST `merchant/attention/:transactionId/:kind/settle`; the response is 204. */
export interface SettleAttentionBody {
  /** What was done, like "refunded"; 1 to 500 characters. */
  readonly note: string;
  /** `amountCrypto` as shown: if it has changed since, nothing is settled. */
  readonly amountCrypto: string;
  /** `revision` as shown: if it has changed since, nothing is settled. */
  readonly revision: number;
}
