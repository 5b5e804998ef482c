import { type Static, Type } from 'typebox';
import { list, nullable, oneOf, refined, text } from '../../schema.ts';
import { CryptoSymbol, FiatCurrency, TransactionException, TransactionStatus } from '../schemas.ts';

/** `basic` is one amount, `detailed` has a list of items, `billing` pays for this service. */
export const PaymentType = oneOf(['basic', 'detailed', 'billing']);
export type PaymentType = Static<typeof PaymentType>;

/** Longer than any order id, address or txid. */
const MAX_SEARCH_CHARACTERS = 320;

/** A UTC day. Date fields produce years of four digits, which the database can store. */
const Day = refined(
  Type.String({ errorMessage: 'must be a day like 2026-11-22' }),
  (day) => {
    const startsAt = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
    // Date.parse accepts 31 February as 3 March.
    return Number.isFinite(startsAt) && new Date(startsAt).toISOString().startsWith(day);
  },
  'must be a day like 2026-11-22',
);

/** Filter of a list; all given fields must match. */
export const PaymentFilter = Type.Object({
  status: Type.Optional(TransactionStatus),
  exception: Type.Optional(TransactionException),
  crypto: Type.Optional(CryptoSymbol),
  type: Type.Optional(PaymentType),
  /** Created on this day (UTC) or later, like `2026-11-22`. */
  from: Type.Optional(Day),
  /** Created on this day (UTC) or earlier. */
  to: Type.Optional(Day),
  /**
   * An id or its prefix, an order id or its prefix, a customer's e-mail address, a deposit address
   * or a txid.
   */
  search: Type.Optional(text(MAX_SEARCH_CHARACTERS)),
});
export type PaymentFilter = Static<typeof PaymentFilter>;

export const PaymentListItem = Type.Object({
  id: Type.String(),
  status: TransactionStatus,
  exception: nullable(TransactionException),
  type: PaymentType,
  orderId: nullable(Type.String()),
  /** Of its payment link or recurring request. */
  title: nullable(Type.String()),
  customerEmail: nullable(Type.String()),
  crypto: CryptoSymbol,
  /** Exact decimals in whole coins and in the currency. */
  amountDue: Type.String(),
  amountPaid: Type.String(),
  amountFiat: Type.String(),
  currencyFiat: FiatCurrency,
  /** Unix ms. */
  createdAt: Type.Number(),
});
export type PaymentListItem = Static<typeof PaymentListItem>;

export const PaymentTotal = Type.Object({
  count: Type.Number(),
  /** There are more than `count`, because counting stopped. */
  isAtLeast: Type.Boolean(),
});
export type PaymentTotal = Static<typeof PaymentTotal>;

/** Newest first. */
export const PaymentPage = Type.Object({
  payments: list(PaymentListItem),
  /** Cursor of the next page; null at the end. */
  cursor: nullable(Type.String()),
  /** Total number of matches; counted only for the first page, null on the others. */
  total: nullable(PaymentTotal),
  /** Whether there is any payment in this mode; distinguishes "nothing yet" from "no match". */
  hasAny: Type.Boolean(),
});
export type PaymentPage = Static<typeof PaymentPage>;
