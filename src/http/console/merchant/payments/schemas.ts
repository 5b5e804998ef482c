import { type Static, Type } from 'typebox';
import { TRANSACTION_TYPES } from '../../../../../machines/index.ts';
import { oneOf, refined, text } from '../../schema.ts';
import { CryptoSymbol, TransactionException, TransactionStatus } from '../schemas.ts';

/** The `cursor` of the last page is null. */
export type {
  FoundPayment as PaymentListItem,
  FoundPaymentPage as PaymentPage,
  FoundTotal as PaymentTotal,
} from '../../../../payments/index.ts';

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

/** Filter of a list; all specified fields must match. */
export const PaymentFilter = Type.Object({
  status: Type.Optional(TransactionStatus),
  exception: Type.Optional(TransactionException),
  crypto: Type.Optional(CryptoSymbol),
  type: Type.Optional(oneOf(TRANSACTION_TYPES)),
  /** Created on this day (UTC) or later, like `2026-11-22`. */
  from: Type.Optional(Day),
  /** Created on this day (UTC) or earlier. */
  to: Type.Optional(Day),
  /**
   * An id or its prefix, an id as lists shorten it, an order id or its prefix, a part of the title
   * of a payment link or recurring request, a customer's email address, a deposit address, a txid
   * or a metadata value.
   */
  search: Type.Optional(text(MAX_SEARCH_CHARACTERS)),
});
export type PaymentFilter = Static<typeof PaymentFilter>;
