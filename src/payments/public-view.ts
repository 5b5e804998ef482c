import { type Kysely, sql } from 'kysely';
import type {
  Chain,
  CryptoSymbol,
  FiatCurrency,
  PaymentStatus,
  TransactionException,
  TransactionStatus,
  UnixMs,
} from '../../machines/index.ts';
import { ASSETS, formatCoins } from '../../machines/index.ts';
import { type Database, whileDatabaseAnswers } from '../db/index.ts';
import { actorStanding } from '../engine/index.ts';
import { CHAIN_ADDRESSING, type NetworkKind, parseNetworkName, paymentUri } from '../wallets/index.ts';
import { transactionNotFound } from './get-transaction.ts';
import { heightGate, timeGate } from './network-gates.ts';
import { type SimulateDeps, type SimulateRequest, simulate } from './simulate.ts';
import { confirmationsOf } from './view.ts';

/**
 * What anyone with a transaction's id may do: see it as its customer does, follow it, and simulate
 * events if it is a test on the simulated network. Contains none of the merchant's internal data:
 * no metadata, e-mail address, index or other transaction.
 */

/** The fields by which a change is detected. */
export interface PublicVersion {
  readonly id: string;
  readonly status: TransactionStatus;
  readonly exception: TransactionException | null;
  /** Increases with every event of the transaction. */
  readonly sequence: number;
  readonly expiresAt: UnixMs;
  /** Added to the wall clock for this transaction only; 0 unless simulated. */
  readonly clockOffsetMs: number;
  readonly isSimulated: boolean;
  /** The network was scanned up to this time; null when simulated, or never scanned. */
  readonly lookedUntil: UnixMs | null;
  /** Height of the chain; null when unknown. */
  readonly tipHeight: number | null;
}

/** A transaction as its customer sees it. Amounts are exact decimals, in whole coins or fiat. */
export interface PublicTransaction extends PublicVersion {
  readonly mode: 'live' | 'test';
  readonly storeName: string;
  readonly orderId: string | null;
  readonly crypto: CryptoSymbol;
  readonly network: PublicNetwork;
  readonly depositAddress: string;
  /** BIP21 or EIP-681 link for the remaining amount; null for tokens, and when nothing remains. */
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
  readonly createdAt: UnixMs;
  readonly completedAt: UnixMs | null;
  readonly completedBy: 'chain' | 'merchant' | null;
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
  readonly detectedAt: UnixMs;
}

/** The transactions of customers, as their pages read and simulate them. */
export interface PublicTransactions {
  /** Null for an unknown id. */
  get(id: string): Promise<PublicTransaction | null>;
  /** The existing ones of `ids`, in any order. */
  list(ids: readonly string[]): Promise<readonly PublicTransaction[]>;
  listVersions(ids: readonly string[]): Promise<readonly PublicVersion[]>;
  simulate(id: string, request: SimulateRequest): Promise<void>;
}

export function createPublicTransactions(deps: SimulateDeps): PublicTransactions {
  return {
    get: (id) => getPublicTransaction(deps, id),
    list: (ids) => listPublicTransactions(deps, ids),
    listVersions: (ids) => listPublicVersions(deps.db, ids),
    simulate: (id, request) => simulateAsCustomer(deps, id, request),
  };
}

/** One transaction; null if it does not exist. Rejects with `RetryableError` without a database. */
export async function getPublicTransaction(
  { db }: { db: Kysely<Database> },
  id: string,
): Promise<PublicTransaction | null> {
  const found = await listPublicTransactions({ db }, [id]);
  return found[0] ?? null;
}

/** The transactions that exist among `ids`, unordered: four queries for any number of ids. */
export async function listPublicTransactions(
  { db }: { db: Kysely<Database> },
  ids: readonly string[],
): Promise<PublicTransaction[]> {
  return whileDatabaseAnswers(async () => {
    const { rows } = await sql<TransactionRow>`
      select ${VERSION_COLUMNS}, mode, merchant.name as store_name, order_id, crypto, deposit_address, due_base_units,
        paid_base_units, amount_fiat, currency_fiat, exchange_rate, fiat_to_usd_rate, confirmations_required,
        success_url, cancel_url, transaction.created_at, completed_at, completed_by
      from transaction cross join lateral ${STANDING} as actor join merchant on merchant.id = transaction.merchant_id
      where transaction.id = any(${ids}::text[])`.execute(db);
    // Read after the versions, so that the data may be newer than its version, never older.
    const payments = await readPayments(db, ids);
    const marks = await readWatermarks(db, rows);
    return rows.map((row) => toPublicTransaction(row, { version: toVersion(row, marks), payments }));
  });
}

/** The versions of the transactions that exist among `ids`, unordered: two queries in total. */
export async function listPublicVersions(db: Kysely<Database>, ids: readonly string[]): Promise<PublicVersion[]> {
  return whileDatabaseAnswers(async () => {
    const { rows } = await sql<VersionRow>`
      select ${VERSION_COLUMNS} from transaction cross join lateral ${STANDING} as actor
      where transaction.id = any(${ids}::text[])`.execute(db);
    const marks = await readWatermarks(db, rows);
    return rows.map((row) => toVersion(row, marks));
  });
}

/**
 * `simulate` for anyone with the id. Throws `TerminalError` `TRANSACTION_NOT_FOUND`, also for a
 * live transaction, and what `simulate` throws.
 */
export async function simulateAsCustomer(deps: SimulateDeps, id: string, request: SimulateRequest): Promise<void> {
  const owner = await whileDatabaseAnswers(() =>
    deps.db
      .selectFrom('transaction')
      .select(['merchant_id', 'mode'])
      .where('id', '=', id)
      .where('mode', '=', 'test')
      .executeTakeFirst(),
  );
  if (owner === undefined) throw transactionNotFound();
  await simulate(deps, { merchantId: owner.merchant_id, mode: owner.mode }, id, request);
}

// Helpers

/** A payment stays visible forever, even after its actor was archived. */
const STANDING = actorStanding(sql`transaction.id`);
const VERSION_COLUMNS = sql`transaction.id, transaction.status, exception, network, expires_at, sequence, clock_offset_ms`;

interface VersionRow {
  id: string;
  status: string;
  exception: string | null;
  network: string;
  expires_at: number;
  sequence: number;
  clock_offset_ms: number;
}

interface TransactionRow extends VersionRow {
  mode: 'live' | 'test';
  store_name: string;
  order_id: string | null;
  crypto: string;
  deposit_address: string;
  due_base_units: bigint;
  paid_base_units: bigint;
  amount_fiat: string;
  currency_fiat: string;
  exchange_rate: string;
  fiat_to_usd_rate: string;
  confirmations_required: number;
  success_url: string | null;
  cancel_url: string | null;
  created_at: number;
  completed_at: number | null;
  completed_by: string | null;
}

interface PaymentRow {
  readonly transaction_id: string;
  readonly txid: string | null;
  readonly amount_base_units: bigint;
  readonly presence: string;
  readonly status: string;
  readonly height: number | null;
  readonly first_seen_at: number;
}

interface Mark {
  readonly reached_at: number | null;
  readonly height: number | null;
}

async function readPayments(db: Kysely<Database>, ids: readonly string[]): Promise<Map<string, PaymentRow[]>> {
  const { rows } = await sql<PaymentRow>`
    select transaction_id, txid, amount_base_units, presence, status, height, first_seen_at from payment
    where transaction_id = any(${ids}::text[]) order by first_seen_at, output_id`.execute(db);
  const byTransaction = new Map<string, PaymentRow[]>();
  for (const row of rows) {
    const siblings = byTransaction.get(row.transaction_id);
    if (siblings === undefined) byTransaction.set(row.transaction_id, [row]);
    else siblings.push(row);
  }
  return byTransaction;
}

async function readWatermarks(db: Kysely<Database>, rows: readonly VersionRow[]): Promise<Map<string, Mark>> {
  const gates = new Set(rows.map((row) => heightGate(row.network, row.id)));
  const { rows: marks } = await sql<Mark & { gate: string }>`
    select gate, reached_at, height from watermark where gate = any(${[...gates]}::text[])`.execute(db);
  return new Map(marks.map((mark) => [mark.gate, mark]));
}

function toVersion(row: VersionRow, marks: ReadonlyMap<string, Mark>): PublicVersion {
  const time = timeGate(row.network);
  return {
    id: row.id,
    status: row.status as TransactionStatus,
    exception: row.exception as TransactionException | null,
    sequence: row.sequence,
    expiresAt: row.expires_at,
    clockOffsetMs: row.clock_offset_ms,
    isSimulated: parseNetworkName(row.network).simulated,
    lookedUntil: time === null ? null : (marks.get(time)?.reached_at ?? null),
    tipHeight: marks.get(heightGate(row.network, row.id))?.height ?? null,
  };
}

function toPublicTransaction(
  row: TransactionRow,
  { version, payments }: { version: PublicVersion; payments: ReadonlyMap<string, readonly PaymentRow[]> },
): PublicTransaction {
  const crypto = row.crypto as CryptoSymbol;
  const { chain, kind } = parseNetworkName(row.network);
  const coins = (baseUnits: bigint) => formatCoins(baseUnits > 0n ? baseUnits : 0n, ASSETS[crypto].decimals);
  const missingBaseUnits = row.due_base_units - row.paid_base_units;
  return {
    ...version,
    mode: row.mode,
    storeName: row.store_name,
    orderId: row.order_id,
    crypto,
    network: { chain, chainName: CHAIN_ADDRESSING[chain].name, kind },
    depositAddress: row.deposit_address,
    paymentUri: linkOver(row, missingBaseUnits),
    amountDue: coins(row.due_base_units),
    amountPaid: coins(row.paid_base_units),
    amountRemaining: coins(missingBaseUnits),
    amountExcess: coins(-missingBaseUnits),
    amountFiat: row.amount_fiat,
    currencyFiat: row.currency_fiat as FiatCurrency,
    exchangeRate: row.exchange_rate,
    fiatToUsdRate: row.fiat_to_usd_rate,
    confirmationsRequired: row.confirmations_required,
    payments: (payments.get(row.id) ?? []).map((payment) => ({
      txid: payment.txid,
      amount: coins(payment.amount_base_units),
      confirmations: confirmationsOf(payment, version.tipHeight, row.confirmations_required),
      status: payment.status as PaymentStatus,
      detectedAt: payment.first_seen_at,
    })),
    successUrl: row.success_url,
    cancelUrl: row.cancel_url,
    createdAt: row.created_at,
    completedAt: row.completed_at,
    completedBy: row.completed_by as 'chain' | 'merchant' | null,
  };
}

/** Given only a token's address, a wallet would offer to send ether, so tokens have no link. */
function linkOver(row: TransactionRow, amountBaseUnits: bigint): string | null {
  const asset = ASSETS[row.crypto as CryptoSymbol];
  if (asset.type === 'token' || amountBaseUnits <= 0n) return null;
  const { kind: networkKind } = parseNetworkName(row.network);
  return paymentUri({ asset, networkKind, address: row.deposit_address, amountBaseUnits });
}
