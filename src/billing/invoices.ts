import { type Kysely, sql } from 'kysely';
import type { CryptoSymbol, FiatCurrency, TransactionStatus } from '../../machines/index.ts';
import type { Scope } from '../payments/index.ts';
import { type Database, whileDatabaseAnswers } from '../platform/db/index.ts';
import { isoTime, isoTimeOrNull } from '../platform/iso-time.ts';
import type { PurchaseType } from './buying.ts';

/** `Invoice` of the interface: a payment from the merchant to the operator. */
export interface InvoiceView {
  readonly transaction_id: string;
  readonly purchase_type: PurchaseType;
  readonly amount_fiat: number;
  readonly currency_fiat: FiatCurrency;
  /** Status of the transaction. */
  readonly status: TransactionStatus;
  readonly crypto_symbol: CryptoSymbol;
  readonly created_at: string;
  /** When it was paid; null before. */
  readonly confirmed_at: string | null;
  /** When the payment window closes. */
  readonly expires_at: string;
}

export interface InvoicePage {
  readonly invoices: InvoiceView[];
  readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number };
}

/** A page of a merchant's invoices in one mode, newest first. */
export async function listInvoices(
  { db }: { db: Kysely<Database> },
  { merchantId, mode }: Scope,
  { limit, offset }: { limit: number; offset: number },
): Promise<InvoicePage> {
  return whileDatabaseAnswers(async () => {
    const { rows } = await sql<InvoiceRow>`
      select transaction_id, purchase_type, amount_fiat, currency_fiat, status, crypto, created_at, completed_at,
        expires_at
      from plan_purchase join transaction on transaction.id = plan_purchase.transaction_id
      where plan_purchase.merchant_id = ${merchantId} and plan_purchase.mode = ${mode}
      order by created_at desc, transaction_id desc limit ${limit} offset ${offset}`.execute(db);
    const { total } = await db
      .selectFrom('plan_purchase')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('merchant_id', '=', merchantId)
      .where('mode', '=', mode)
      .executeTakeFirstOrThrow();
    return { invoices: rows.map(toInvoice), pagination: { limit, offset, total } };
  });
}

// Helpers

/** Closed sets hold what the projection wrote, from the vocabulary of the charts. */
interface InvoiceRow {
  readonly transaction_id: string;
  readonly purchase_type: PurchaseType;
  readonly amount_fiat: string;
  readonly currency_fiat: FiatCurrency;
  readonly status: TransactionStatus;
  readonly crypto: CryptoSymbol;
  readonly created_at: number;
  readonly completed_at: number | null;
  readonly expires_at: number;
}

function toInvoice(row: InvoiceRow): InvoiceView {
  return {
    transaction_id: row.transaction_id,
    purchase_type: row.purchase_type,
    amount_fiat: Number(row.amount_fiat),
    currency_fiat: row.currency_fiat,
    status: row.status,
    crypto_symbol: row.crypto,
    created_at: isoTime(row.created_at),
    confirmed_at: isoTimeOrNull(row.completed_at),
    expires_at: isoTime(row.expires_at),
  };
}
