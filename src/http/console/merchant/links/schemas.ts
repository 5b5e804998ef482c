import { type Static, Type } from 'typebox';
import { LINK_STATES } from '../../../../links/index.ts';
import { list, Moment, nullable, oneOf, text, whole } from '../../schema.ts';
import { FiatCurrency, Mode } from '../schemas.ts';

/** Amounts are exact decimal text in the currency of the link. */
export const LinkPrice = Type.Union([
  Type.Object({
    kind: Type.Literal('fixed'),
    amount: Type.String(),
  }),
  /** The payer chooses the amount, within these limits. */
  Type.Object({
    kind: Type.Literal('open'),
    min: nullable(Type.String()),
    max: nullable(Type.String()),
  }),
]);
export type LinkPrice = Static<typeof LinkPrice>;

/** `used_up`: paid as often as allowed. The last three accept no new payments. */
export const LinkState = oneOf(LINK_STATES);
export type LinkState = Static<typeof LinkState>;

export const LinkInfo = Type.Object({
  /** Identifies it in its URL, within merchant and mode. */
  slug: Type.String(),
  /** The short address for customers. */
  url: Type.String(),
  title: Type.String(),
  description: nullable(Type.String()),
  /** Identifies its image in `/images/<id>`. */
  imageId: nullable(Type.String()),
  price: LinkPrice,
  currency: Type.String(),
  /** Coins it can be paid in; empty: every coin the merchant accepts. */
  cryptos: list(Type.String()),
  /** Where the payment page leads after payment: http or https. */
  successUrl: nullable(Type.String()),
  expiresAt: nullable(Type.Number()),
  /** How often it can be paid; null without limit. */
  maxUses: nullable(Type.Number()),
  uses: Type.Number(),
  /** Completed payments beyond `maxUses`. */
  excessUses: Type.Number(),
  /** The oldest of them. */
  excessPaymentIds: list(Type.String()),
  createdAt: Type.Number(),
  closedAt: nullable(Type.Number()),
  state: LinkState,
});
export type LinkInfo = Static<typeof LinkInfo>;

/** Newest first. */
export const LinkPage = Type.Object({
  links: list(LinkInfo),
  cursor: nullable(Type.String()),
  /** Coins that can be paid with in this mode now. */
  coins: list(Type.String()),
});
export type LinkPage = Static<typeof LinkPage>;

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
  expiresAt: Type.Optional(Moment),
  maxUses: Type.Optional(whole(1, Number.MAX_SAFE_INTEGER)),
});
export type NewLinkBody = Static<typeof NewLinkBody>;
