import { type Kysely, sql } from 'kysely';
import {
  ASSETS,
  CRYPTO_SYMBOLS,
  type CryptoSymbol,
  formatCoins,
  type TransactionException,
  type TransactionStatus,
  type TransactionType,
} from '../../../machines/index.ts';
import type { Scope } from '../../../src/payments/index.ts';
import { insertMetadataValues } from '../../../src/payments/projection/metadata-values.ts';
import type { Database } from '../../../src/platform/db/index.ts';
import {
  deleteTransactions,
  insertTransactionRows,
  insertTransactions,
} from '../../support/database/transaction-rows.ts';

/** The columns of a payment that lists and exports read; all others are the same for every row. */
export interface ListedPayment {
  readonly id: string;
  readonly merchantId: string;
  readonly mode: Scope['mode'];
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly exception: TransactionException | null;
  readonly crypto: CryptoSymbol;
  readonly depositAddress: string;
  readonly dueBaseUnits: bigint;
  readonly paidBaseUnits: bigint;
  readonly amountFiat: string;
  readonly orderId: string | null;
  readonly customerEmail: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly createdAt: number;
  readonly completedAt: number | null;
  readonly txids: readonly string[];
}

export const SHOP: Scope = { merchantId: 'mer_shop', mode: 'live' };

export const PLAIN: Omit<ListedPayment, 'id'> = {
  ...SHOP,
  type: 'basic',
  status: 'completed',
  exception: null,
  crypto: 'LTC',
  depositAddress: 'ltc1qexample',
  dueBaseUnits: 50_000_000n,
  paidBaseUnits: 50_000_000n,
  amountFiat: '40',
  orderId: null,
  customerEmail: null,
  metadata: null,
  createdAt: Date.UTC(2026, 10, 20, 12),
  completedAt: null,
  txids: [],
};

/** Inserts payments where lists read them, without their actors. */
export async function insertPayments(db: Kysely<Database>, payments: readonly ListedPayment[]): Promise<void> {
  for (let first = 0; first < payments.length; first += ROWS_PER_STATEMENT) {
    const some = payments.slice(first, first + ROWS_PER_STATEMENT);
    await insertTransactionRows(db, some.map(toRow));
    const outputs = some.flatMap((payment) => payment.txids.map((txid, index) => toOutput(payment, txid, index)));
    if (outputs.length > 0) await db.insertInto('payment').values(outputs).execute();
    const ids = some.map(({ id }) => id);
    await insertMetadataValues(db, sql`(select * from transaction where id = any(${ids}::text[]))`);
  }
}

export async function removePayments(db: Kysely<Database>): Promise<void> {
  await sql`delete from payment`.execute(db);
  await sql`delete from transaction_metadata`.execute(db);
  await sql`delete from payment_link`.execute(db);
  await sql`delete from schedule`.execute(db);
  await deleteTransactions(db);
}

/**
 * The title of a payment link or recurring request, and where a payment names it: in its metadata.
 */
export interface Titled extends Scope {
  readonly key: 'payment_link' | 'schedule_id';
  readonly name: string;
  readonly title: string;
}

/** Inserts payment links and recurring requests that differ in name and title only. */
export async function insertTitles(db: Kysely<Database>, titles: readonly Titled[]): Promise<void> {
  const given = sql`
    jsonb_to_recordset(${JSON.stringify(titles)}::jsonb) as given ("merchantId" text, mode text, key text, name text, title text)`;
  await sql`
    insert into merchant (id, name, email, plan) select distinct "merchantId", "merchantId", 'shop@example.com', 'starter'
    from ${given} on conflict do nothing`.execute(db);
  await sql`
    insert into payment_link (merchant_id, mode, slug, code, title, currency_fiat, cryptos, created_at)
    select "merchantId", mode, name, md5("merchantId" || mode || name), title, 'EUR', '{}', now()
    from ${given} where key = 'payment_link'`.execute(db);
  await sql`
    insert into schedule (id, merchant_id, mode, customer_email, description, amount_fiat, currency_fiat, interval, status,
      confirmations_sent, last_period_no, created_at, updated_at)
    select name, "merchantId", mode, 'customer@example.com', title, '10', 'EUR', 'monthly', 'active', 0, 0, now(), now()
    from ${given} where key = 'schedule_id'`.execute(db);
}

/**
 * Inserts very many payments of a shop with one SQL statement, one each minute up to a given time.
 * They differ in status, coin, order, customer, address and one of their metadata values; every
 * tenth has details, every fourth is of one of 250 payment links, every thousandth was paid late.
 */
export async function insertMany(
  db: Kysely<Database>,
  scope: Scope,
  count: number,
  until = PLAIN.createdAt,
): Promise<void> {
  await insertTransactions(
    db,
    sql`
    (select 'txn_' || substr(md5(${scope.merchantId}::text || number), 1, 26), ${scope.merchantId}, ${scope.mode},
      case when number % 10 = 1 then 'detailed' else 'basic' end,
      case when number % 1000 = 3 then 'expired' when number % 5000 = 7 then 'pending'
        when number % 3 = 0 then 'expired' else 'completed' end,
      case when number % 1000 = 3 then 'paid_late' end,
      (array['LTC', 'BTC', 'ETH', 'USDC'])[1 + number % 4], 'litecoin-mainnet', 'ltc1q' || md5('address' || number),
      100000000, 100000000, '1', '19.99', '23.5', 'EUR', '1.175', '80.5', '[]', 3,
      case when number % 2 = 0 then 'order-' || number end,
      case when number % 7 = 0 then 'Customer' || number % 9973 || '@Example.com' end,
      jsonb_build_object('basket', number, 'source', 'web')
        || case when number % 4 = 0 then jsonb_build_object('payment_link', 'link-' || number % 1000) else '{}' end,
      ${new Date(until)}::timestamptz - number * interval '1 minute', now(), now()
    from generate_series(1, ${count}::int8) as series (number))
    as given (id, merchant_id, mode, type, status, exception, crypto, network, deposit_address, due_base_units,
      paid_base_units, amount_crypto, amount_fiat, amount_usd, currency_fiat, fiat_to_usd_rate, exchange_rate,
      rate_sources, confirmations_required, order_id, customer_email, metadata, created_at, updated_at,
      expires_at)`,
  );
  await sql`
    insert into payment (transaction_id, output_id, network, txid, amount_base_units, presence, status, first_seen_at)
    select id, md5(id) || ':0', network, md5('a' || id) || md5('b' || id), 100000000, 'block', 'confirmed', created_at
    from transaction where merchant_id = ${scope.merchantId} and mode = ${scope.mode} and status = 'completed'`.execute(
    db,
  );
  const own = sql`merchant_id = ${scope.merchantId} and mode = ${scope.mode}`;
  await insertMetadataValues(db, sql`(select * from transaction where ${own})`);
}

/** Some of the coins, so that lists by coin overlap. */
export const FEW_COINS = CRYPTO_SYMBOLS.filter((symbol) => ['BTC', 'ETH', 'SHIB'].includes(symbol));

// Helpers

/** A Postgres statement takes 65,535 parameters. */
const ROWS_PER_STATEMENT = 1_000;

function toRow(payment: ListedPayment) {
  const createdAt = new Date(payment.createdAt);
  return {
    id: payment.id,
    merchant_id: payment.merchantId,
    mode: payment.mode,
    type: payment.type,
    status: payment.status,
    exception: payment.exception,
    crypto: payment.crypto,
    network: 'litecoin-mainnet',
    deposit_address: payment.depositAddress,
    due_base_units: payment.dueBaseUnits.toString(),
    paid_base_units: payment.paidBaseUnits.toString(),
    amount_crypto: formatCoins(payment.dueBaseUnits, ASSETS[payment.crypto].decimals),
    amount_fiat: payment.amountFiat,
    amount_usd: payment.amountFiat,
    currency_fiat: 'USD',
    fiat_to_usd_rate: '1',
    exchange_rate: '80',
    rate_sources: [],
    confirmations_required: 3,
    order_id: payment.orderId,
    customer_email: payment.customerEmail,
    metadata: payment.metadata,
    idempotency_key: null,
    request_hash: null,
    client_hash: null,
    success_url: null,
    cancel_url: null,
    completed_by: null,
    created_at: createdAt,
    updated_at: createdAt,
    expires_at: createdAt,
    completed_at: payment.completedAt === null ? null : new Date(payment.completedAt),
  };
}

function toOutput(payment: ListedPayment, txid: string, index: number) {
  return {
    transaction_id: payment.id,
    output_id: `${txid}:${index}`,
    network: 'litecoin-mainnet',
    txid,
    amount_base_units: '1',
    presence: 'block' as const,
    status: 'confirmed' as const,
    height: 1,
    block_hash: null,
    first_seen_at: new Date(payment.createdAt + index),
    confirmed_at: null,
  };
}
