import { type Static, Type } from 'typebox';
import { list, nullable, oneOf, text, whole } from '../../schema.ts';
import { CryptoSymbol, TransactionException, TransactionStatus } from '../schemas.ts';

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
export const AttentionKindName = oneOf([
  'paid_late',
  'needs_review',
  'underpaid',
  'overpaid',
  'coins_on_closed',
  'unassigned_coins',
]);
export type AttentionKindName = Static<typeof AttentionKindName>;

export const AttentionCount = Type.Object({
  /** The number of open items in the list. */
  open: Type.Number(),
});
export type AttentionCount = Static<typeof AttentionCount>;

export const AttentionSettler = Type.Union([
  Type.Object({
    kind: Type.Literal('person'),
    email: Type.String(),
  }),
  /** A program of the merchant, through the API. */
  Type.Object({
    kind: Type.Literal('shop'),
  }),
  /** A user who is no longer with the merchant, or an operator. */
  Type.Object({
    kind: Type.Literal('other'),
  }),
  /** The reason no longer applies. */
  Type.Object({
    kind: Type.Literal('itself'),
  }),
]);
export type AttentionSettler = Static<typeof AttentionSettler>;

/**
 * Amounts are exact decimals, in whole coins and, at the rate locked at creation, in the fiat
 * currency.
 */
export const AttentionItemInfo = Type.Object({
  transactionId: Type.String(),
  kind: AttentionKindName,
  /** The coins in question: late, missing, too few, or too many. */
  amountCrypto: Type.String(),
  amountFiat: Type.String(),
  /** Increases with every change of those coins. */
  revision: Type.Number(),
  crypto: CryptoSymbol,
  currencyFiat: Type.String(),
  dueCrypto: Type.String(),
  dueFiat: Type.String(),
  paidCrypto: Type.String(),
  paidFiat: Type.String(),
  /** Step of the payment that a decision refers to. */
  step: Type.Number(),
  status: TransactionStatus,
  exception: nullable(TransactionException),
  orderId: nullable(Type.String()),
  customerEmail: nullable(Type.String()),
  /** Those coins have all required confirmations; until then they may still be lost. */
  isConfirmed: Type.Boolean(),
  /** Unix ms. */
  raisedAt: Type.Number(),
  settledAt: nullable(Type.Number()),
  /** Null while open. */
  settledBy: nullable(AttentionSettler),
  note: nullable(Type.String()),
});
export type AttentionItemInfo = Static<typeof AttentionItemInfo>;

/** Open items, oldest first, or settled ones, newest first. */
export const AttentionList = Type.Object({
  items: list(AttentionItemInfo),
  /** Cursor of the next page; null at the end. */
  cursor: nullable(Type.String()),
});
export type AttentionList = Static<typeof AttentionList>;

export const SettleAttentionBody = Type.Object({
  /** What was done, like "refunded". */
  note: text(500),
  /** `amountCrypto` as shown: if it has changed since, nothing is settled. */
  amountCrypto: text(1_000),
  /** `revision` as shown: if it has changed since, nothing is settled. */
  revision: whole(1, Number.MAX_SAFE_INTEGER),
});
export type SettleAttentionBody = Static<typeof SettleAttentionBody>;
