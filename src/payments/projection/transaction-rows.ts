import { sql, type Transaction } from 'kysely';
import { publicStateOf } from '../../../machines/index.ts';
import { type Database, insertUnnested, jsonText, unnestRows } from '../../platform/db/index.ts';
import type { TransactionAttachment } from './attachment.ts';
import { lossOf } from './loss.ts';
import { paidBaseUnits } from './paid.ts';
import type { TransactionStep } from './transaction-step.ts';

/** The rows of payments: what was agreed is inserted once, and only what changes is updated. */

/** `now` is the last step of the batch. */
export async function insertTransactions(
  trx: Transaction<Database>,
  started: readonly { readonly start: TransactionStep; readonly now: TransactionStep }[],
): Promise<void> {
  if (started.length === 0) return;
  const terms = started.map(({ start }) => {
    const { rate_sources, items, metadata, ...row } = termsOf(start);
    const json = { rate_sources: jsonText(rate_sources), items: jsonText(items), metadata: jsonText(metadata) };
    return { ...row, ...json, id: start.actorId, created_at: start.at };
  });
  const statuses = started.map(({ start, now }) => {
    const { merchantId: merchant_id, mode, type, crypto, network } = start.context;
    return { ...statusOf(now), ...customerOf(start), merchant_id, mode, type, crypto, network, created_at: start.at };
  });
  await sql`
    with terms as (${insertUnnested('transaction_terms', TERMS_COLUMNS, terms)})
    ${insertUnnested('transaction_status', STATUS_COLUMNS, statuses)}`.execute(trx);
}

/**
 * Deletes the identity of the customer once the payment can no longer become pending, except for
 * the browser: an ended payment still waits for late coins, and its payer must not be asked to pay
 * again.
 */
export async function updateTransactions(trx: Transaction<Database>, steps: readonly TransactionStep[]): Promise<void> {
  if (steps.length === 0) return;
  const keptCustomer = CUSTOMER_COLUMNS.map((column) => {
    const isKept = column === 'customer_hash' ? `(${MAY_BE_PENDING} or next.waits_for_coins)` : MAY_BE_PENDING;
    return `${column} = case when ${isKept} then current.${column} end`;
  });
  const rows = steps.map((step) => ({ ...statusOf(step), waits_for_coins: waitsForCoins(step) }));
  await sql`
    update transaction_status as current set status = next.status, exception = next.exception, step = next.step,
      paid_base_units = next.paid_base_units, updated_at = next.updated_at, expires_at = next.expires_at,
      completed_at = next.completed_at, completed_by = next.completed_by, loss = next.loss, ${sql.raw(keptCustomer.join(', '))}
    from ${unnestRows('next', { ...CHANGING_COLUMNS, boolean: ['waits_for_coins'] }, rows)}
    where current.id = next.id`.execute(trx);
}

/** What was agreed. */
export function termsOf({ context, attachment }: TransactionStep) {
  const details = attachment as TransactionAttachment;
  const { quote } = context;
  return {
    merchant_id: context.merchantId,
    mode: context.mode,
    type: context.type,
    crypto: context.crypto,
    network: context.network,
    deposit_address: context.depositAddress,
    due_base_units: context.dueBaseUnits,
    amount_crypto: quote.amountCrypto,
    amount_fiat: quote.amountFiat,
    amount_usd: quote.amountUsd,
    currency_fiat: quote.currencyFiat,
    fiat_to_usd_rate: quote.fiatToUsdRate,
    exchange_rate: quote.exchangeRate,
    rate_sources: details.rateSources,
    rates_at: details.ratesAt,
    confirmations_required: context.confirmationsRequired,
    order_id: details.orderId,
    customer_email: details.customerEmail,
    items: details.items,
    metadata: details.metadata,
    success_url: details.successUrl,
    cancel_url: details.cancelUrl,
    idempotency_key: details.idempotencyKey,
    request_hash: details.requestHash,
  };
}

/** What changes. */
export function statusOf(step: TransactionStep) {
  const { actorId, sequence, state, context } = step;
  const { status, exception } = publicStateOf(state);
  return {
    id: actorId,
    status,
    exception,
    step: sequence,
    paid_base_units: paidBaseUnits(step).toString(),
    updated_at: context.updatedAt,
    expires_at: context.expiresAt,
    completed_at: context.completedAt,
    completed_by: context.completedBy,
    loss: lossOf(context),
  };
}

// Helpers

const MAY_BE_PENDING = `next.status in ('pending', 'partial', 'awaiting_confirmation')`;

/** It ended unpaid, and late coins may still arrive or await a decision. */
function waitsForCoins({ state }: TransactionStep): boolean {
  return state === 'failed' || state.startsWith('expired.');
}

const IDENTITY_COLUMNS = ['merchant_id', 'mode', 'type', 'crypto', 'network'] as const;
const PRICE_COLUMNS = [
  'amount_crypto',
  'amount_fiat',
  'amount_usd',
  'currency_fiat',
  'fiat_to_usd_rate',
  'exchange_rate',
] as const;
const REQUEST_COLUMNS = [
  'order_id',
  'customer_email',
  'success_url',
  'cancel_url',
  'idempotency_key',
  'request_hash',
] as const;
const CUSTOMER_COLUMNS = ['client_hash', 'opened_by_key', 'customer_hash', 'client_subnet_hash'] as const;

/** All but `customer_gave_email`, which is false until the customer enters an address. */
const TERMS_COLUMNS = {
  text: ['id', ...IDENTITY_COLUMNS, 'deposit_address', ...PRICE_COLUMNS, ...REQUEST_COLUMNS],
  numeric: ['due_base_units'],
  int4: ['confirmations_required'],
  jsonb: ['rate_sources', 'items', 'metadata'],
  timestamptz: ['rates_at', 'created_at'],
} as const;
const CHANGING_COLUMNS = {
  text: ['id', 'status', 'exception', 'completed_by', 'loss'],
  int8: ['step'],
  numeric: ['paid_base_units'],
  timestamptz: ['updated_at', 'expires_at', 'completed_at'],
} as const;
const STATUS_COLUMNS = {
  ...CHANGING_COLUMNS,
  text: [...CHANGING_COLUMNS.text, ...IDENTITY_COLUMNS, ...CUSTOMER_COLUMNS],
  timestamptz: [...CHANGING_COLUMNS.timestamptz, 'created_at'],
} as const;

function customerOf({ attachment }: TransactionStep) {
  const { clientHash, opener } = attachment as TransactionAttachment;
  return {
    client_hash: clientHash ?? null,
    opened_by_key: opener?.keyId ?? null,
    customer_hash: opener?.customerHash ?? null,
    client_subnet_hash: opener?.subnetHash ?? null,
  };
}
