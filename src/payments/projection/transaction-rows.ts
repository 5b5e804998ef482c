import { sql, type Transaction } from 'kysely';
import { publicStateOf, seenBaseUnits } from '../../../machines/index.ts';
import { type Database, givenRows, insertGiven } from '../../platform/db/index.ts';
import type { TransactionAttachment } from './attachment.ts';
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
    const json = { rate_sources: jsonOf(rate_sources), items: jsonOf(items), metadata: jsonOf(metadata) };
    return { ...row, ...json, id: start.actorId, created_at: start.at };
  });
  const statuses = started.map(({ start, now }) => {
    const { merchantId: merchant_id, mode, type, crypto, network } = start.context;
    return { ...statusOf(now), ...customerOf(start), merchant_id, mode, type, crypto, network, created_at: start.at };
  });
  await sql`
    with terms as (${insertGiven('transaction_terms', TERMS, terms)})
    ${insertGiven('transaction_status', { ...CHANGING, ...FIXED, ...CUSTOMER }, statuses)}`.execute(trx);
}

/** Deletes the identity of the customer once the payment can no longer become pending. */
export async function updateTransactions(trx: Transaction<Database>, steps: readonly TransactionStep[]): Promise<void> {
  if (steps.length === 0) return;
  const kept = Object.keys(CUSTOMER).map(
    (column) => `${column} = case when ${MAY_BE_PENDING} then current.${column} end`,
  );
  await sql`
    update transaction_status as current set status = next.status, exception = next.exception, step = next.step,
      paid_base_units = next.paid_base_units, updated_at = next.updated_at, expires_at = next.expires_at,
      completed_at = next.completed_at, completed_by = next.completed_by, ${sql.raw(kept.join(', '))}
    from ${givenRows('next', CHANGING, steps.map(statusOf))}
    where current.id = next.id`.execute(trx);
}

/** What was agreed. */
export function termsOf({ context, attachment }: TransactionStep) {
  const facts = attachment as TransactionAttachment;
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
    rate_sources: facts.rateSources,
    confirmations_required: context.confirmationsRequired,
    order_id: facts.orderId,
    customer_email: facts.customerEmail,
    items: facts.items,
    metadata: facts.metadata,
    success_url: facts.successUrl,
    cancel_url: facts.cancelUrl,
    idempotency_key: facts.idempotencyKey,
    request_hash: facts.requestHash,
  };
}

/** What changes. */
export function statusOf({ actorId, sequence, state, context }: TransactionStep) {
  const { status, exception } = publicStateOf(state);
  return {
    id: actorId,
    status,
    exception,
    step: sequence,
    paid_base_units: seenBaseUnits(context).toString(),
    updated_at: context.updatedAt,
    expires_at: context.expiresAt,
    completed_at: context.completedAt,
    completed_by: context.completedBy,
  };
}

// Helpers

const MAY_BE_PENDING = `next.status in ('pending', 'partial', 'awaiting_confirmation')`;

const TERMS = {
  id: 'text',
  merchant_id: 'text',
  mode: 'text',
  type: 'text',
  crypto: 'text',
  network: 'text',
  deposit_address: 'text',
  due_base_units: 'numeric',
  amount_crypto: 'text',
  amount_fiat: 'text',
  amount_usd: 'text',
  currency_fiat: 'text',
  fiat_to_usd_rate: 'text',
  exchange_rate: 'text',
  rate_sources: 'jsonb',
  confirmations_required: 'int4',
  order_id: 'text',
  customer_email: 'text',
  items: 'jsonb',
  metadata: 'jsonb',
  success_url: 'text',
  cancel_url: 'text',
  idempotency_key: 'text',
  request_hash: 'text',
  created_at: 'moment',
} as const;

/** The columns of a status by what becomes of them: written by every step, never, deleted. */
const CHANGING = {
  id: 'text',
  status: 'text',
  exception: 'text',
  step: 'int8',
  paid_base_units: 'numeric',
  updated_at: 'moment',
  expires_at: 'moment',
  completed_at: 'moment',
  completed_by: 'text',
} as const;
const FIXED = {
  merchant_id: 'text',
  mode: 'text',
  type: 'text',
  crypto: 'text',
  network: 'text',
  created_at: 'moment',
} as const;
const CUSTOMER = {
  client_hash: 'text',
  opened_by_key: 'text',
  customer_hash: 'text',
  client_subnet_hash: 'text',
} as const;

function jsonOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

function customerOf({ attachment }: TransactionStep) {
  const { clientHash, opener } = attachment as TransactionAttachment;
  return {
    client_hash: clientHash ?? null,
    opened_by_key: opener?.keyId ?? null,
    customer_hash: opener?.customerHash ?? null,
    client_subnet_hash: opener?.subnetHash ?? null,
  };
}
