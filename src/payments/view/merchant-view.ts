import type { Selectable } from 'kysely';
import {
  ASSETS,
  type CryptoSymbol,
  type FiatCurrency,
  formatCoins,
  type PaymentStatus,
  type TransactionException,
  type TransactionStatus,
  type TransactionType,
} from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { isoTime, isoTimeOrNull } from '../../platform/iso-time.ts';

/**
 * A transaction as the merchant interface shows it. Amounts are exact decimal text until they are
 * written as JSON numbers with the same digits; with `Amount = number` it is the parsed response.
 */
export interface TransactionView<Amount = number> {
  readonly transaction_id: string;
  readonly status: TransactionStatus;
  readonly exception?: TransactionException;
  readonly type: TransactionType;
  readonly crypto: CryptoSymbol;
  readonly deposit_address: string;
  readonly amount_crypto: Amount;
  readonly amount_fiat: Amount;
  readonly amount_usd: Amount;
  readonly amount_paid: Amount;
  readonly amount_remaining: Amount;
  readonly currency_fiat: FiatCurrency;
  readonly fiat_to_usd_rate: Amount;
  readonly exchange_rate: Amount;
  readonly confirmations_required: number;
  readonly payment_url: string;
  readonly order_id: string | null;
  readonly customer_email: string | null;
  readonly items: LineItemView<Amount>[] | null;
  readonly payments: PaymentView<Amount>[];
  readonly metadata: Record<string, unknown> | null;
  readonly success_url: string | null;
  readonly cancel_url: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly expires_at: string;
  /** The same amounts as text, for languages whose numbers are floats. */
  readonly amounts: {
    readonly crypto: string;
    readonly fiat: string;
    readonly usd: string;
    readonly paid: string;
    readonly remaining: string;
  };
  /**
   * Increases with every event that changes the payment. Decisions name the step they are based on.
   */
  readonly step: number;
}

export interface LineItemView<Amount = number> {
  readonly name: string;
  readonly quantity: number;
  readonly price: Amount;
}

export interface PaymentView<Amount = number> {
  /** Absent when no transaction explains the coins. */
  readonly txid?: string;
  readonly amount_crypto: Amount;
  readonly confirmations: number;
  readonly status: PaymentStatus;
  readonly detected_at: string;
  readonly confirmed_at: string | null;
}

export const VIEW_COLUMNS = [
  'id',
  'status',
  'exception',
  'step',
  'type',
  'crypto',
  'network',
  'deposit_address',
  'due_base_units',
  'paid_base_units',
  'amount_crypto',
  'amount_fiat',
  'amount_usd',
  'currency_fiat',
  'fiat_to_usd_rate',
  'exchange_rate',
  'confirmations_required',
  'order_id',
  'customer_email',
  'items',
  'metadata',
  'success_url',
  'cancel_url',
  'created_at',
  'updated_at',
  'expires_at',
] as const;

export type ViewColumns = Pick<Selectable<Database['transaction']>, (typeof VIEW_COLUMNS)[number]>;

export type PaymentRow = Pick<
  Selectable<Database['payment']>,
  'txid' | 'amount_base_units' | 'presence' | 'status' | 'height' | 'first_seen_at' | 'confirmed_at'
>;

/** Builds the view from rows. `tipHeight`: height of the transaction's chain, null when unknown. */
export function toView(
  row: ViewColumns,
  { payments, tipHeight, publicUrl }: { payments: readonly PaymentRow[]; tipHeight: number | null; publicUrl: string },
): TransactionView<string> {
  const crypto = row.crypto;
  const { decimals } = ASSETS[crypto];
  const coins = (baseUnits: bigint) => formatCoins(baseUnits, decimals);
  const missing = row.due_base_units - row.paid_base_units;
  const [paid, remaining] = [coins(row.paid_base_units), coins(missing > 0n ? missing : 0n)];
  return {
    transaction_id: row.id,
    status: row.status,
    ...(row.exception === null ? {} : { exception: row.exception }),
    type: row.type,
    crypto,
    deposit_address: row.deposit_address,
    amount_crypto: row.amount_crypto,
    amount_fiat: row.amount_fiat,
    amount_usd: row.amount_usd,
    amount_paid: paid,
    amount_remaining: remaining,
    currency_fiat: row.currency_fiat,
    fiat_to_usd_rate: row.fiat_to_usd_rate,
    exchange_rate: row.exchange_rate,
    confirmations_required: row.confirmations_required,
    payment_url: paymentUrl(publicUrl, row.id),
    order_id: row.order_id,
    customer_email: row.customer_email,
    items: row.items as LineItemView<string>[] | null,
    payments: payments.map((payment) =>
      toPaymentView(payment, { decimals, tipHeight, required: row.confirmations_required }),
    ),
    metadata: row.metadata as Record<string, unknown> | null,
    success_url: row.success_url,
    cancel_url: row.cancel_url,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    expires_at: isoTime(row.expires_at),
    amounts: { crypto: row.amount_crypto, fiat: row.amount_fiat, usd: row.amount_usd, paid, remaining },
    step: row.step,
  };
}

/** URL of the hosted payment page. */
export function paymentUrl(publicUrl: string, transactionId: string): string {
  return `${publicUrl}/transaction/${transactionId}`;
}

// Helpers

function toPaymentView(
  row: PaymentRow,
  { decimals, tipHeight, required }: { decimals: number; tipHeight: number | null; required: number },
): PaymentView<string> {
  return {
    ...(row.txid === null ? {} : { txid: row.txid }),
    amount_crypto: formatCoins(row.amount_base_units, decimals),
    confirmations: confirmationsOf(row, tipHeight, required),
    status: row.status,
    detected_at: isoTime(row.first_seen_at),
    confirmed_at: isoTimeOrNull(row.confirmed_at),
  };
}

/**
 * Computed when read, not stored: the output's own block is the first confirmation. A closed
 * payment's simulated chain is deleted; its confirmed outputs then show the required number.
 */
export function confirmationsOf(
  row: Pick<PaymentRow, 'presence' | 'height' | 'status'>,
  tipHeight: number | null,
  required: number,
): number {
  if (row.presence !== 'block' || row.height === null) return 0;
  if (tipHeight === null && row.status === 'confirmed') return required;
  return Math.max(1, (tipHeight ?? row.height) - row.height + 1);
}
