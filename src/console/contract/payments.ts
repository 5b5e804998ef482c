import type { CryptoSymbol, FiatCurrency, TransactionException, TransactionStatus } from '../../../machines/index.ts';

/** A merchant's payments: list, search and export. */

export type PaymentStatusName = TransactionStatus;
export type PaymentExceptionName = TransactionException;
/** `basic` is one amount, `detailed` has a list of items, `billing` pays for this service. */
export type PaymentType = 'basic' | 'detailed' | 'billing';

/**
 * Filter of a list; all given fields must match. Query of GET /console/api/merchant/payments, with
 * `mode`, `cursor` from the previous page and `limit`, and of GET
 * /console/api/merchant/payments.csv, with `mode`.
 */
export interface PaymentFilter {
  readonly status?: PaymentStatusName | undefined;
  readonly exception?: PaymentExceptionName | undefined;
  readonly crypto?: CryptoSymbol | undefined;
  readonly type?: PaymentType | undefined;
  /** Created on this day (UTC) or later, like `2026-11-22`. */
  readonly from?: string | undefined;
  /** Created on this day (UTC) or earlier. */
  readonly to?: string | undefined;
  /**
   * An id or its prefix, an order id or its prefix, a customer's e-mail address, a deposit address
   * or a txid.
   */
  readonly search?: string | undefined;
}

/** Response of GET /console/api/merchant/payments: newest first. */
export interface PaymentPage {
  readonly payments: readonly PaymentListItem[];
  /** Cursor of the next page; null at the end. */
  readonly cursor: string | null;
  /** Total number of matches; counted only for the first page, null on the others. */
  readonly total: PaymentTotal | null;
  /** Whether there is any payment in this mode; distinguishes "nothing yet" from "no match". */
  readonly hasAny: boolean;
}

export interface PaymentTotal {
  readonly count: number;
  /** There are more than `count`, because counting stopped. */
  readonly isAtLeast: boolean;
}

export interface PaymentListItem {
  readonly id: string;
  readonly status: PaymentStatusName;
  readonly exception: PaymentExceptionName | null;
  readonly type: PaymentType;
  readonly orderId: string | null;
  readonly customerEmail: string | null;
  readonly crypto: CryptoSymbol;
  /** Exact decimals in whole coins and in the currency. */
  readonly amountDue: string;
  readonly amountPaid: string;
  readonly amountFiat: string;
  readonly currencyFiat: FiatCurrency;
  /** Unix ms. */
  readonly createdAt: number;
}
