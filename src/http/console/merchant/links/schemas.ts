import { type Static, Type } from 'typebox';
import type { LinkState, PaymentLink } from '../../../../links/index.ts';
import { list, Timestamp, text, whole } from '../../schema.ts';
import { FiatCurrency, Mode } from '../schemas.ts';

export type { LinkState } from '../../../../links/index.ts';

/** Amounts are exact decimal text in the currency of the link. */
export type LinkPrice =
  | { readonly kind: 'fixed'; readonly amount: string }
  /** The payer chooses the amount, within these limits. */
  | { readonly kind: 'open'; readonly min: string | null; readonly max: string | null };

export interface LinkInfo extends Omit<PaymentLink, 'merchantId' | 'mode' | 'code' | 'price'> {
  /** The short address for customers. */
  readonly url: string;
  readonly price: LinkPrice;
  /** The oldest completed payments beyond `maxUses`. */
  readonly excessPaymentIds: readonly string[];
  readonly state: LinkState;
}

/** Newest first. */
export interface LinkPage {
  readonly links: readonly LinkInfo[];
  readonly cursor: string | null;
  /** Coins that can be paid with in this mode now. */
  readonly coins: readonly string[];
}

/** Above the feature's limits, so that its errors can state them. */
const Short = text(500);
const Long = text(4_000);

export const NewLinkBody = Type.Object({
  mode: Mode,
  /** Omitted: an unguessable one. */
  slug: Type.Optional(Short),
  title: Short,
  description: Type.Optional(Long),
  /** A base64 data URL, bounded by the size of the body. */
  image: Type.Optional(Type.String()),
  /** A fixed price as decimal text; omitted: the payer chooses the amount. */
  amount: Type.Optional(Short),
  /** Minimum and maximum without a fixed price. */
  min: Type.Optional(Short),
  max: Type.Optional(Short),
  currency: FiatCurrency,
  cryptos: Type.Optional(list(text(20), 50)),
  successUrl: Type.Optional(Long),
  expiresAt: Type.Optional(Timestamp),
  maxUses: Type.Optional(whole(1, Number.MAX_SAFE_INTEGER)),
});
export type NewLinkBody = Static<typeof NewLinkBody>;
