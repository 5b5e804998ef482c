import { type Kysely, sql } from 'kysely';
import { ASSETS, formatCoins, type UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { SHOWN_LOSS } from '../projection/loss.ts';
import { fiatWorth } from '../view/fiat-worth.ts';
import type { Scope } from '../view/get-transaction.ts';
import { conditionsOf, type PaymentSearch } from './filter.ts';
import { type PlacedRow, type RowsRead, readRows } from './read-rows.ts';
import type { FoundPayment } from './search-payments.ts';

/** Rows per query, and so held in memory by one export. */
const EXPORT_BATCH_ROWS = 500;
/** Common spreadsheet programs are limited to 1,048,576 rows per sheet. */
const MAX_EXPORT_ROWS = 1_000_000;

/** Amounts are exact decimal text, times Unix ms. */
export interface ExportedPayment extends Omit<FoundPayment, 'orderId' | 'title'> {
  readonly orderId: string | null;
  readonly completedAt: UnixMs | null;
  readonly network: string;
  /** USD per whole coin and per unit of the fiat currency, locked at creation. */
  readonly exchangeRate: string;
  readonly fiatToUsdRate: string;
  /** The amount paid, in the fiat currency at the locked rate, to the cent: see `fiatWorth`. */
  readonly paidFiat: string;
  readonly amountUsd: string;
  readonly depositAddress: string;
  /** Transactions of the coins that count, in order of first sighting. */
  readonly txids: readonly string[];
  readonly confirmationsRequired: number;
}

/** A part of an export; only the last one can be marked as truncated. */
export interface ExportBatch {
  readonly payments: readonly ExportedPayment[];
  readonly isCut: boolean;
}

export interface ExportRequest {
  readonly search: PaymentSearch;
  /** Defaults to `MAX_EXPORT_ROWS`. */
  readonly maxRows?: number;
}

/**
 * All payments that match a search, newest first, in batches: the next one is read when it is
 * requested, so an export holds one batch in memory and no connection between batches. Payments
 * created during the export are newer than its start and not included. Rejects with
 * `RetryableError` without a database.
 */
export async function* exportPayments(
  { db }: { readonly db: Kysely<Database> },
  scope: Scope,
  { search, maxRows = MAX_EXPORT_ROWS }: ExportRequest,
): AsyncGenerator<ExportBatch> {
  const conditions = await conditionsOf(db, scope, search);
  let [left, after] = [maxRows, conditions.after];
  while (left > 0) {
    const query = {
      scope,
      conditions: { ...conditions, after },
      columns: COLUMNS,
      limit: Math.min(left, EXPORT_BATCH_ROWS),
    };
    const { rows, next }: RowsRead<ExportRow> = await readRows(db, query);
    left -= rows.length;
    yield { payments: rows.map(toExported), isCut: next !== null && left === 0 };
    if (next === null) return;
    after = next;
  }
}

// Helpers

const COLUMNS = sql`created_at as "createdAt", completed_at as "completedAt", status, exception, type,
  order_id as "orderId", customer_email as "customerEmail", crypto, network, amount_crypto as "amountDue",
  due_base_units as "dueBaseUnits", paid_base_units as "paidBaseUnits", amount_fiat as "amountFiat",
  currency_fiat as "currencyFiat", exchange_rate as "exchangeRate", fiat_to_usd_rate as "fiatToUsdRate",
  amount_usd as "amountUsd", deposit_address as "depositAddress", confirmations_required as "confirmationsRequired",
  ${SHOWN_LOSS} as loss, array(
    select txid from payment
    where payment.transaction_id = transaction.id and txid is not null and payment.status <> 'replaced'
      and (not is_declined or transaction.status in ('expired', 'failed') and exception is null)
    group by txid order by min(first_seen_at), txid
  ) as txids`;

interface ExportRow extends Omit<ExportedPayment, 'amountPaid' | 'paidFiat'>, PlacedRow {
  readonly dueBaseUnits: bigint;
  readonly paidBaseUnits: bigint;
}

function toExported({ created_us: _, dueBaseUnits, paidBaseUnits, ...payment }: ExportRow): ExportedPayment {
  const { crypto, amountFiat } = payment;
  return {
    ...payment,
    amountPaid: formatCoins(paidBaseUnits, ASSETS[crypto].decimals),
    paidFiat: fiatWorth(paidBaseUnits, { dueBaseUnits, amountFiat }),
  };
}
