import { sql, type Transaction } from 'kysely';
import { publicStateOf, seenBaseUnits, type UnixMs } from '../../../machines/index.ts';
import { type Database, PREPARED, settleAll } from '../../platform/db/index.ts';
import type { TransactionAttachment } from './attachment.ts';
import type { TransactionStep } from './transaction-step.ts';

/** The rows of payments: what was agreed is inserted once, and only what changes is updated. */

/** `now` is the last step of the batch. */
export async function insertTransactions(
  trx: Transaction<Database>,
  started: readonly { readonly start: TransactionStep; readonly now: TransactionStep }[],
): Promise<void> {
  if (started.length === 0) return;
  const terms = started.map(({ start }) => ({ id: start.actorId, ...termsOf(start), created_at: toIso(start.at) }));
  const statuses = started.map(({ start, now }) => {
    const { merchantId, mode, type, crypto, network } = start.context;
    const { updated_at, expires_at, completed_at, ...row } = statusOf(now);
    return {
      ...row,
      ...customerOf(start),
      merchant_id: merchantId,
      mode,
      type,
      crypto,
      network,
      created_at: toIso(start.at),
      updated_at: toIso(updated_at),
      expires_at: toIso(expires_at),
      completed_at: completed_at === null ? null : toIso(completed_at),
    };
  });
  await settleAll([insertRows(trx, 'transaction_terms', terms), insertRows(trx, 'transaction_status', statuses)]);
}

/** Deletes the identity of the customer once the payment can no longer become pending. */
export async function updateTransactions(trx: Transaction<Database>, steps: readonly TransactionStep[]): Promise<void> {
  if (steps.length === 0) return;
  const rows = steps.map(statusOf);
  const column = <K extends keyof Row>(name: K) => rows.map((row) => row[name]);
  await sql`
    update transaction_status as current set status = next.status, exception = next.exception, step = next.step,
      paid_base_units = next.paid_base_units, updated_at = to_timestamp(next.updated_at / 1000.0),
      expires_at = to_timestamp(next.expires_at / 1000.0), completed_at = to_timestamp(next.completed_at / 1000.0),
      completed_by = next.completed_by, client_hash = case when ${MAY_BE_PENDING} then current.client_hash end,
      opened_by_key = case when ${MAY_BE_PENDING} then current.opened_by_key end,
      customer_hash = case when ${MAY_BE_PENDING} then current.customer_hash end,
      client_subnet_hash = case when ${MAY_BE_PENDING} then current.client_subnet_hash end
    from unnest(
      ${column('id')}::text[], ${column('status')}::text[], ${column('exception')}::text[],
      ${column('step')}::int8[], ${column('paid_base_units')}::numeric[], ${column('updated_at')}::int8[], ${column('expires_at')}::int8[],
      ${column('completed_at')}::int8[], ${column('completed_by')}::text[]
    ) as next (id, status, exception, step, paid_base_units, updated_at, expires_at, completed_at, completed_by)
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

const MAY_BE_PENDING = sql`next.status in ('pending', 'partial', 'awaiting_confirmation')`;

type Row = ReturnType<typeof statusOf>;

/** Rows have the columns of the table as fields, all the same ones; times as ISO 8601. */
async function insertRows(
  trx: Transaction<Database>,
  table: 'transaction_terms' | 'transaction_status',
  rows: readonly object[],
): Promise<void> {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)));
  await sql`
    ${PREPARED} insert into ${sql.table(table)} (${columns}) select ${columns}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`.execute(trx);
}

function toIso(at: UnixMs): string {
  return new Date(at).toISOString();
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
