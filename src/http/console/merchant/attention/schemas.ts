import { type Static, Type } from 'typebox';
import { ATTENTION_KINDS, type AttentionItem, type AttentionPage } from '../../../../payments/index.ts';
import { oneOf, text, whole } from '../../schema.ts';

/**
 * `paid_late` and `needs_review` end with a decision (POST merchant/payments/:id/decisions), the
 * others when a user settles them with a note.
 */
export const AttentionKindName = oneOf(ATTENTION_KINDS);
export type AttentionKindName = Static<typeof AttentionKindName>;

export interface AttentionCount {
  readonly open: number;
}

export type AttentionSettler =
  | { readonly kind: 'person'; readonly email: string }
  /** A program of the merchant, through the API. */
  | { readonly kind: 'shop' }
  /** A user who is no longer with the merchant, or an operator. */
  | { readonly kind: 'other' }
  /** The reason no longer applies. */
  | { readonly kind: 'itself' };

export interface AttentionItemInfo extends Omit<AttentionItem, 'settledBy'> {
  /** Null while open. */
  readonly settledBy: AttentionSettler | null;
}

/** Open items, oldest first, or settled ones, newest first. */
export interface AttentionList extends Pick<AttentionPage, 'cursor'> {
  readonly items: readonly AttentionItemInfo[];
}

export const SettleAttentionBody = Type.Object({
  /** What was done, like "refunded". */
  note: text(500),
  /** `amountCrypto` as shown: if it has changed since, nothing is settled. */
  amountCrypto: text(1_000),
  /** `revision` as shown: if it has changed since, nothing is settled. */
  revision: whole(1, Number.MAX_SAFE_INTEGER),
});
export type SettleAttentionBody = Static<typeof SettleAttentionBody>;
