import { type Kysely, sql } from 'kysely';
import type { CryptoSymbol, FiatCurrency, TransactionStatus, UnixMs } from '../../machines/index.ts';
import type { Scope } from '../payments/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { PurchaseType } from './buying.ts';

/** A payment from a merchant to the operator. */
export interface Invoice {
  readonly id: string;
  readonly purchase: PurchaseType;
  /** Exact decimal, in `currency`. */
  readonly amount: string;
  readonly currency: FiatCurrency;
  readonly crypto: CryptoSymbol;
  readonly status: TransactionStatus;
  readonly createdAt: UnixMs;
  /** Null until it is paid. */
  readonly paidAt: UnixMs | null;
  /** When the payment window closes. */
  readonly expiresAt: UnixMs;
}

export interface InvoicePage {
  readonly invoices: readonly Invoice[];
  /** Number of all invoices in the mode. */
  readonly total: number;
}

/** A page of a merchant's invoices in one mode, newest first. */
export async function listInvoices(
  { db }: { readonly db: Kysely<Database> },
  { merchantId, mode }: Scope,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<InvoicePage> {
  // Closed sets hold what the projection wrote, from the vocabulary of the charts.
  const { rows: invoices } = await sql<Invoice>`
      select transaction_id as id, purchase_type as purchase, amount_fiat as amount, currency_fiat as currency, crypto,
        status, created_at as "createdAt", completed_at as "paidAt", expires_at as "expiresAt"
      from plan_purchase join transaction on transaction.id = plan_purchase.transaction_id
      where plan_purchase.merchant_id = ${merchantId} and plan_purchase.mode = ${mode}
      order by created_at desc, transaction_id desc limit ${limit} offset ${offset}`.execute(db);
  const { total } = await db
    .selectFrom('plan_purchase')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('merchant_id', '=', merchantId)
    .where('mode', '=', mode)
    .executeTakeFirstOrThrow();
  return { invoices, total };
}
