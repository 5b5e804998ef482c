import { type Kysely, sql } from 'kysely';
import {
  ASSETS,
  type CryptoSymbol,
  type FiatCurrency,
  formatCoins,
  type TransactionException,
  type TransactionStatus,
  type TransactionType,
  type UnixMs,
} from '../../../machines/index.ts';
import { readCursor, writeCursor } from '../../platform/cursor.ts';
import type { Database } from '../../platform/db/index.ts';
import { SHOWN_LOSS, type ShownLoss } from '../projection/loss.ts';
import type { Scope } from '../view/get-transaction.ts';
import { ORDER_NAME } from '../view/order-name.ts';
import { TITLE } from '../view/title.ts';
import { conditionsOf, type PaymentSearch } from './filter.ts';
import { candidatesOf, type ListConditions } from './list-conditions.ts';
import { keptTotalOf } from './list-transactions.ts';
import { type PlacedRow, readRows } from './read-rows.ts';

export const MAX_PAYMENTS_PER_PAGE = 200;
/** Totals without a maintained count are counted up to this number. */
export const MAX_COUNTED = 10_000;

export interface PaymentSearchRequest {
  readonly search: PaymentSearch;
  /** From the previous page; null for the first page. */
  readonly cursor: string | null;
  readonly limit: number;
}

/** Newest first. Amounts are exact decimal text, times Unix ms. */
export interface FoundPaymentPage {
  readonly payments: readonly FoundPayment[];
  readonly cursor: string | null;
  /** Null after the first page, and where counting would be too expensive. */
  readonly total: FoundTotal | null;
  /** Whether the merchant has any payment in this mode. */
  readonly hasAny: boolean;
}

export interface FoundTotal {
  readonly count: number;
  /** There are more: counting stopped at `MAX_COUNTED`. */
  readonly isAtLeast: boolean;
}

export interface FoundPayment {
  readonly id: string;
  readonly status: TransactionStatus;
  readonly exception: TransactionException | null;
  readonly type: TransactionType;
  /** Its order id; without one, what its metadata has as `order`, like the README's example. */
  readonly orderId: string | null;
  /** What it is for, in the words of its payment link or recurring request. */
  readonly title: string | null;
  readonly customerEmail: string | null;
  readonly crypto: CryptoSymbol;
  readonly amountDue: string;
  readonly amountPaid: string;
  readonly amountFiat: string;
  readonly currencyFiat: FiatCurrency;
  /** It is complete, but its coins are unconfirmed again, or gone. */
  readonly loss: ShownLoss | null;
  readonly createdAt: UnixMs;
}

/**
 * A page of the payments that match a search. Throws a `TerminalError` `INVALID_CURSOR`; rejects
 * with `RetryableError` without a database.
 */
export async function searchPayments(
  { db }: { readonly db: Kysely<Database> },
  scope: Scope,
  { search, cursor, limit }: PaymentSearchRequest,
): Promise<FoundPaymentPage> {
  const after = cursor === null ? undefined : readCursor(cursor);
  const conditions = await conditionsOf(db, scope, search);
  const pageSize = Math.min(limit, MAX_PAYMENTS_PER_PAGE);
  const [{ rows, next }, total] = await Promise.all([
    readRows<FoundRow>(db, { scope, conditions: { ...conditions, after }, columns: COLUMNS, limit: pageSize }),
    after === undefined ? countFound(db, scope, conditions) : null,
  ]);
  return {
    payments: rows.map(toFoundPayment),
    cursor: next === null ? null : writeCursor(next),
    total,
    hasAny: rows.length > 0 || (await hasPayments(db, scope)),
  };
}

// Helpers

const COLUMNS = sql`status, exception, type, ${ORDER_NAME} as "orderId",
  ${TITLE} as title, customer_email as "customerEmail", crypto, amount_crypto as "amountDue",
  paid_base_units as "paidBaseUnits", amount_fiat as "amountFiat", currency_fiat as "currencyFiat",
  ${SHOWN_LOSS} as loss, created_at as "createdAt"`;

interface FoundRow extends Omit<FoundPayment, 'amountPaid'>, PlacedRow {
  readonly paidBaseUnits: bigint;
}

function toFoundPayment({ created_us: _, paidBaseUnits, ...payment }: FoundRow): FoundPayment {
  return { ...payment, amountPaid: formatCoins(paidBaseUnits, ASSETS[payment.crypto].decimals) };
}

async function countFound(db: Kysely<Database>, scope: Scope, conditions: ListConditions): Promise<FoundTotal | null> {
  // Matches are spread over the list: counting them may mean scanning all of it.
  if (conditions.rest !== undefined) return null;
  const kept = keptTotalOf(scope, conditions);
  const counted =
    kept ??
    sql<number>`(
    select count(*) from (
      select id from (${candidatesOf(scope, conditions, MAX_COUNTED + 1)}) as candidate limit ${MAX_COUNTED + 1}
    ) as found)`;
  const { rows } = await sql<{ total: number }>`select ${counted} as total`.execute(db);
  const total = rows[0]?.total ?? 0;
  if (kept !== null || total <= MAX_COUNTED) return { count: total, isAtLeast: false };
  return { count: MAX_COUNTED, isAtLeast: true };
}

async function hasPayments(db: Kysely<Database>, scope: Scope): Promise<boolean> {
  const { rows } = await sql<{ total: number | null }>`select ${keptTotalOf(scope, {})} as total`.execute(db);
  return (rows[0]?.total ?? 0) > 0;
}
