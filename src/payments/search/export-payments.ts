import { type Kysely, type Selectable, sql } from 'kysely';
import { ASSETS, type CryptoSymbol, formatCoins, type TransactionType, type UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { SHOWN_LOSS, type ShownLoss } from '../projection/loss.ts';
import { fiatWorth } from '../view/fiat-worth.ts';
import type { Scope } from '../view/get-transaction.ts';
import { conditionsOf, type PaymentSearch } from './filter.ts';
import { type PlacedRow, type RowsRead, readRows } from './read-rows.ts';

/** Rows per query, and so held in memory by one export. */
const EXPORT_BATCH_ROWS = 500;
/** Common spreadsheet programs are limited to 1,048,576 rows per sheet. */
const MAX_EXPORT_ROWS = 1_000_000;

/** Amounts are exact decimal text, times Unix ms. */
export interface ExportedPayment {
  readonly id: string;
  readonly createdAt: UnixMs;
  readonly completedAt: UnixMs | null;
  readonly status: string;
  readonly exception: string | null;
  readonly type: TransactionType;
  readonly orderId: string | null;
  readonly customerEmail: string | null;
  readonly crypto: CryptoSymbol;
  readonly network: string;
  readonly amountDue: string;
  readonly amountPaid: string;
  readonly amountFiat: string;
  readonly currencyFiat: string;
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
  /** It is complete, but its coins are unconfirmed again, or gone. */
  readonly loss: ShownLoss | null;
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
    const { rows, next }: RowsRead<ExportRow & PlacedRow> = await readRows(db, query);
    left -= rows.length;
    yield { payments: rows.map(toExported), isCut: next !== null && left === 0 };
    if (next === null) return;
    after = next;
  }
}

// Helpers

const COLUMNS = sql`created_at, completed_at, status, exception, type, order_id, customer_email, crypto, network,
  amount_crypto, due_base_units, paid_base_units, amount_fiat, currency_fiat, exchange_rate, fiat_to_usd_rate, amount_usd, deposit_address,
  confirmations_required, ${SHOWN_LOSS} as loss, array(
    select txid from payment
    where payment.transaction_id = transaction.id and txid is not null and payment.status <> 'replaced'
      and (not is_declined or transaction.status in ('expired', 'failed') and exception is null)
    group by txid order by min(first_seen_at), txid
  ) as txids`;

interface ExportRow
  extends Pick<
    Selectable<Database['transaction']>,
    | 'id'
    | 'created_at'
    | 'completed_at'
    | 'status'
    | 'exception'
    | 'type'
    | 'order_id'
    | 'customer_email'
    | 'crypto'
    | 'network'
    | 'amount_crypto'
    | 'due_base_units'
    | 'paid_base_units'
    | 'amount_fiat'
    | 'currency_fiat'
    | 'exchange_rate'
    | 'fiat_to_usd_rate'
    | 'amount_usd'
    | 'deposit_address'
    | 'confirmations_required'
  > {
  readonly txids: readonly string[];
  readonly loss: ShownLoss | null;
}

function toExported(row: ExportRow): ExportedPayment {
  const { crypto, amount_fiat: amountFiat, due_base_units: dueBaseUnits, paid_base_units: paidBaseUnits } = row;
  return {
    id: row.id,
    createdAt: row.created_at,
    completedAt: row.completed_at,
    status: row.status,
    exception: row.exception,
    type: row.type,
    orderId: row.order_id,
    customerEmail: row.customer_email,
    crypto,
    network: row.network,
    amountDue: row.amount_crypto,
    amountPaid: formatCoins(paidBaseUnits, ASSETS[crypto].decimals),
    amountFiat,
    currencyFiat: row.currency_fiat,
    exchangeRate: row.exchange_rate,
    fiatToUsdRate: row.fiat_to_usd_rate,
    paidFiat: fiatWorth(paidBaseUnits, { dueBaseUnits, amountFiat }),
    amountUsd: row.amount_usd,
    depositAddress: row.deposit_address,
    txids: row.txids,
    confirmationsRequired: row.confirmations_required,
    loss: row.loss,
  };
}
