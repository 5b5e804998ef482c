import { type Kysely, type Selectable, sql } from 'kysely';
import type { Chain, CryptoSymbol, FiatCurrency, Mode, PaymentStatus, UnixMs } from '../../../machines/index.ts';
import { ASSETS, formatCoins } from '../../../machines/index.ts';
import { type Brand, brandOf } from '../../merchants/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { CHAIN_ADDRESSING, type NetworkKind, parseNetworkName } from '../../wallets/index.ts';
import type { LineItem } from '../projection/attachment.ts';
import {
  giveReceiptAddress,
  type ReceiptChoice,
  type ReceiptDeps,
  shortAddress,
  takesReceiptAddress,
} from '../receipt/receipt-address.ts';
import { type SimulateDeps, type SimulateRequest, simulate } from '../simulate/simulate.ts';
import { transactionNotFound } from './get-transaction.ts';
import { confirmationsOf } from './merchant-view.ts';
import { type PayableUriDeps, payableUri } from './payable-uri.ts';
import { TITLE } from './title.ts';
import {
  CURRENT_STATE,
  IS_DISMISSED,
  IS_REJECTED,
  listViewVersions,
  readWatermarks,
  toVersion,
  VERSION_COLUMNS,
  type VersionRow,
  type ViewVersion,
} from './view-version.ts';

/**
 * What anyone with a transaction's id may do: see it as its customer does, follow it, enter an
 * address for the receipt, and simulate events if it is a test on the simulated network. Contains
 * none of the merchant's internal data: no metadata, full email address of a customer, index or
 * other transaction.
 */

/** A transaction as its customer sees it. Amounts are exact decimals, in whole coins or fiat. */
export interface CustomerView extends ViewVersion {
  readonly mode: Mode;
  readonly storeName: string;
  readonly brand: Brand;
  readonly orderId: string | null;
  /** What is bought: the title of its payment link, or what its recurring request is for. */
  readonly title: string | null;
  /** What is bought, item by item; prices are decimal strings in `currencyFiat`, for one each. */
  readonly items: readonly LineItem[];
  readonly crypto: CryptoSymbol;
  readonly network: PublicNetwork;
  readonly depositAddress: string;
  /**
   * BIP21 or EIP-681 link for the remaining amount; null when nothing remains, and for tokens
   * without a known contract.
   */
  readonly paymentUri: string | null;
  readonly amountDue: string;
  readonly amountPaid: string;
  readonly amountRemaining: string;
  /** Paid beyond the amount due; "0" when nothing is. */
  readonly amountExcess: string;
  readonly amountFiat: string;
  readonly currencyFiat: FiatCurrency;
  /** USD per whole coin, and USD per unit of the fiat currency, both locked at creation. */
  readonly exchangeRate: string;
  readonly fiatToUsdRate: string;
  readonly confirmationsRequired: number;
  readonly payments: readonly PublicPayment[];
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  /**
   * Whether `cancelUrl` is a page of this service that quotes anew: of a payment link, or of a
   * period of a recurring request.
   */
  readonly canQuoteAnew: boolean;
  readonly createdAt: UnixMs;
  readonly completedAt: UnixMs | null;
  readonly completedBy: 'chain' | 'merchant' | null;
  /** It failed because the shop has rejected it. */
  readonly isRejected: boolean;
  /** It expired, and the shop has dismissed late coins. */
  readonly isDismissed: boolean;
  /** Null where the customer enters no address for a receipt. */
  readonly receipt: ReceiptChoice | null;
}

export interface PublicNetwork {
  readonly chain: Chain;
  /** Display name of the chain, like Litecoin. */
  readonly chainName: string;
  readonly kind: NetworkKind;
}

export interface PublicPayment {
  /** Null when no transaction explains the coins. */
  readonly txid: string | null;
  readonly amount: string;
  readonly confirmations: number;
  readonly status: PaymentStatus;
  /** Another transaction spends its coins: the fee was raised, or the coins were spent twice. */
  readonly isReplaced: boolean;
  /** The shop declined the coins. */
  readonly isDeclined: boolean;
  /** They came in time, and were unconfirmed when the payment failed by its deadline. */
  readonly missedDeadline: boolean;
  readonly detectedAt: UnixMs;
}

export interface PublicReadDeps extends PayableUriDeps, ReceiptDeps {
  /** Base URL of the service for customers, without a trailing slash. */
  readonly publicUrl: string;
}

/** The transactions of customers, as their pages read and simulate them. */
export type CustomerViews = ReturnType<typeof createCustomerViews>;

export function createCustomerViews(deps: SimulateDeps & PublicReadDeps) {
  return {
    get: (id: string) => getCustomerView(deps, id),
    list: (ids: readonly string[]) => listCustomerViews(deps, ids),
    listVersions: (ids: readonly string[]) => listViewVersions(deps.db, ids),
    simulate: (id: string, request: SimulateRequest) => simulateAsCustomer(deps, id, request),
    giveReceiptAddress: (id: string, email: string) => giveReceiptAddress(deps, id, email),
  };
}

/** One transaction; null if it does not exist. Rejects with `RetryableError` without a database. */
export async function getCustomerView(deps: PublicReadDeps, id: string): Promise<CustomerView | null> {
  const found = await listCustomerViews(deps, [id]);
  return found[0] ?? null;
}

/** The transactions that exist among `ids`, unordered: four queries for any number of ids. */
async function listCustomerViews(deps: PublicReadDeps, ids: readonly string[]): Promise<CustomerView[]> {
  const { db, publicUrl } = deps;
  const { rows } = await sql<TransactionRow>`
      select ${VERSION_COLUMNS}, mode, merchant.name as store_name, merchant.settings as store_settings, order_id, items, crypto, deposit_address, due_base_units,
        ${TITLE} as title,
        paid_base_units, amount_fiat, currency_fiat, exchange_rate, fiat_to_usd_rate, confirmations_required,
        success_url, cancel_url, transaction.created_at, completed_at, completed_by, ${IS_REJECTED} as is_rejected,
        ${IS_DISMISSED} as is_dismissed,
        ${takesReceiptAddress(deps.sendsMails)} as takes_receipt_address,
        case when customer_gave_email then customer_email end as receipt_address
      from transaction cross join lateral ${CURRENT_STATE} as actor join merchant on merchant.id = transaction.merchant_id
      where transaction.id = any(${ids}::text[])`.execute(db);
  // Read after the versions, so that the data may be newer than its version, never older.
  const payments = await readPayments(db, ids);
  const marks = await readWatermarks(db, rows);
  return Promise.all(
    rows.map(async (row) =>
      toCustomerView(row, {
        version: toVersion(row, marks),
        payments,
        paymentUri: await linkOf(deps, row),
        publicUrl,
      }),
    ),
  );
}

/**
 * `simulate` for anyone with the id. Throws `TerminalError` `TRANSACTION_NOT_FOUND`, also for a
 * live transaction, and what `simulate` throws.
 */
async function simulateAsCustomer(deps: SimulateDeps, id: string, request: SimulateRequest): Promise<void> {
  const owner = await deps.db
    .selectFrom('transaction')
    .select(['merchant_id', 'mode'])
    .where('id', '=', id)
    .where('mode', '=', 'test')
    .executeTakeFirst();
  if (owner === undefined) throw transactionNotFound();
  await simulate(deps, { merchantId: owner.merchant_id, mode: owner.mode }, id, request);
}

// Helpers

interface TransactionRow
  extends VersionRow,
    Pick<
      Selectable<Database['transaction']>,
      | 'mode'
      | 'order_id'
      | 'items'
      | 'crypto'
      | 'deposit_address'
      | 'due_base_units'
      | 'paid_base_units'
      | 'amount_fiat'
      | 'currency_fiat'
      | 'exchange_rate'
      | 'fiat_to_usd_rate'
      | 'confirmations_required'
      | 'success_url'
      | 'cancel_url'
      | 'created_at'
      | 'completed_at'
      | 'completed_by'
    > {
  readonly store_name: string;
  readonly store_settings: Readonly<Record<string, unknown>>;
  readonly title: string | null;
  readonly is_rejected: boolean;
  readonly is_dismissed: boolean;
  readonly takes_receipt_address: boolean;
  readonly receipt_address: string | null;
}

type PaymentRow = Pick<
  Selectable<Database['payment']>,
  | 'transaction_id'
  | 'txid'
  | 'amount_base_units'
  | 'presence'
  | 'status'
  | 'is_replaced'
  | 'is_declined'
  | 'missed_deadline'
  | 'height'
  | 'first_seen_at'
>;

async function readPayments(db: Kysely<Database>, ids: readonly string[]): Promise<Map<string, PaymentRow[]>> {
  const { rows } = await sql<PaymentRow>`
    select transaction_id, txid, amount_base_units, presence, status, is_replaced, is_declined, missed_deadline, height,
      first_seen_at
    from payment
    where transaction_id = any(${ids}::text[]) order by first_seen_at, output_id`.execute(db);
  const byTransaction = new Map<string, PaymentRow[]>();
  for (const row of rows) {
    const siblings = byTransaction.get(row.transaction_id);
    if (siblings === undefined) byTransaction.set(row.transaction_id, [row]);
    else siblings.push(row);
  }
  return byTransaction;
}

interface RowParts extends Pick<CustomerView, 'paymentUri'> {
  readonly version: ViewVersion;
  readonly payments: ReadonlyMap<string, readonly PaymentRow[]>;
  readonly publicUrl: string;
}

function toCustomerView(row: TransactionRow, parts: RowParts): CustomerView {
  const { version, payments, paymentUri, publicUrl } = parts;
  const crypto = row.crypto;
  const { chain, kind } = parseNetworkName(row.network);
  const coins = (baseUnits: bigint) => formatCoins(baseUnits > 0n ? baseUnits : 0n, ASSETS[crypto].decimals);
  const missingBaseUnits = missingOf(row);
  return {
    ...version,
    mode: row.mode,
    storeName: row.store_name,
    brand: brandOf(row.store_settings),
    orderId: row.order_id,
    title: row.title,
    items: (row.items ?? []) as readonly LineItem[],
    crypto,
    network: { chain, chainName: CHAIN_ADDRESSING[chain].name, kind },
    depositAddress: row.deposit_address,
    paymentUri,
    amountDue: coins(row.due_base_units),
    amountPaid: coins(row.paid_base_units),
    amountRemaining: coins(missingBaseUnits),
    amountExcess: coins(-missingBaseUnits),
    amountFiat: row.amount_fiat,
    currencyFiat: row.currency_fiat,
    exchangeRate: row.exchange_rate,
    fiatToUsdRate: row.fiat_to_usd_rate,
    confirmationsRequired: row.confirmations_required,
    payments: (payments.get(row.id) ?? []).map((payment) => ({
      txid: payment.txid,
      amount: coins(payment.amount_base_units),
      confirmations: confirmationsOf(payment, version.tipHeight, row.confirmations_required),
      status: payment.status,
      isReplaced: payment.is_replaced,
      isDeclined: payment.is_declined,
      missedDeadline: payment.missed_deadline,
      detectedAt: payment.first_seen_at,
    })),
    successUrl: row.success_url,
    cancelUrl: row.cancel_url,
    canQuoteAnew: QUOTING_PATHS.some((path) => row.cancel_url?.startsWith(publicUrl + path) === true),
    createdAt: row.created_at,
    completedAt: row.completed_at,
    completedBy: row.completed_by as 'chain' | 'merchant' | null,
    isRejected: row.is_rejected,
    isDismissed: row.is_dismissed,
    receipt: receiptOf(row),
  };
}

function receiptOf({ takes_receipt_address: takes, receipt_address: address }: TransactionRow): ReceiptChoice | null {
  return takes ? { address: address === null ? null : shortAddress(address) } : null;
}

/** Pages that open a payment with a fresh quote. */
const QUOTING_PATHS = ['/l/', '/recurring/pay/'];

function missingOf(row: TransactionRow): bigint {
  return row.due_base_units - row.paid_base_units;
}

function linkOf(deps: PayableUriDeps, row: TransactionRow): Promise<string | null> {
  const { network, deposit_address: address } = row;
  return payableUri(deps, { crypto: row.crypto, network, address, baseUnits: missingOf(row) });
}
