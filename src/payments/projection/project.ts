import { sql, type Transaction } from 'kysely';
import { publicStateOf, seenBaseUnits } from '../../../machines/index.ts';
import { type Database, settleAll } from '../../db/index.ts';
import { projectAttention } from '../attention/project-attention.ts';
import { notifyCompleted } from '../notices/notify-completed.ts';
import type { TransactionAttachment } from './attachment.ts';
import { type CompletionHook, runCompletionHooks } from './completions.ts';
import { projectDecisions } from './decisions.ts';
import { insertMetadataValues } from './metadata-values.ts';
import { projectPayments } from './payments.ts';
import { projectAlerts, releaseAddresses } from './rest.ts';
import type { TransactionStep } from './transaction-step.ts';

/** Writes the rows that the interface shows in the commit of their actors, so that they agree. */
export async function projectTransactions(
  trx: Transaction<Database>,
  steps: readonly TransactionStep[],
  { publicUrl, onCompleted = [] }: { publicUrl: string; onCompleted?: readonly CompletionHook[] },
): Promise<void> {
  const started = steps.filter((step) => step.outcome === 'started');
  const startedIds = new Set(started.map((step) => step.actorId));
  const last = lastStepOfEach(steps);
  await settleAll([
    // A transaction that changes in the batch that starts it is inserted in its final state.
    insertTransactions(
      trx,
      started.map((step) => ({ start: step, now: last.get(step.actorId) ?? step })),
    ),
    projectMetadata(trx, started),
    updateTransactions(
      trx,
      [...last.values()].filter((step) => !startedIds.has(step.actorId)),
    ),
    projectPayments(trx, [...last.values()]),
    projectAlerts(trx, steps),
    projectAttention(trx, steps, publicUrl),
    projectDecisions(trx, steps),
    releaseAddresses(trx, [...last.values()]),
    completePayments(trx, steps, { publicUrl, onCompleted }),
    ...started.map((step) => runOnStarted(trx, step)),
  ]);
}

// Helpers

/** In sequence, like the hooks themselves: the notices lock merchants too. */
async function completePayments(
  trx: Transaction<Database>,
  steps: readonly TransactionStep[],
  { publicUrl, onCompleted }: { publicUrl: string; onCompleted: readonly CompletionHook[] },
): Promise<void> {
  await runCompletionHooks(trx, steps, onCompleted);
  await notifyCompleted(trx, steps, publicUrl);
}

async function runOnStarted(trx: Transaction<Database>, { actorId, attachment }: TransactionStep): Promise<void> {
  await (attachment as TransactionAttachment).onStarted?.(trx, actorId);
}

function lastStepOfEach(steps: readonly TransactionStep[]): Map<string, TransactionStep> {
  return new Map(steps.map((step) => [step.actorId, step]));
}

async function insertTransactions(
  trx: Transaction<Database>,
  started: readonly { readonly start: TransactionStep; readonly now: TransactionStep }[],
): Promise<void> {
  if (started.length === 0) return;
  const rows = started.map(({ start, now }) => ({ ...rowOf(now), ...termsOf(start), created_at: start.at }));
  await sql`
    insert into transaction (id, merchant_id, mode, type, status, exception, step, crypto, network, deposit_address,
      due_base_units, paid_base_units, amount_crypto, amount_fiat, amount_usd, currency_fiat, fiat_to_usd_rate,
      exchange_rate, rate_sources, confirmations_required, order_id, customer_email, items, metadata, success_url,
      cancel_url, idempotency_key, request_hash, client_hash, opened_by_key, shopper_hash, client_subnet_hash,
      created_at, updated_at, expires_at, completed_at, completed_by)
    select id, merchant_id, mode, type, status, exception, step, crypto, network, deposit_address,
      due_base_units, paid_base_units, amount_crypto, amount_fiat, amount_usd, currency_fiat, fiat_to_usd_rate,
      exchange_rate, rate_sources, confirmations_required, order_id, customer_email, items, metadata, success_url,
      cancel_url, idempotency_key, request_hash, client_hash, opened_by_key, shopper_hash, client_subnet_hash,
      to_timestamp(created_at / 1000.0), to_timestamp(updated_at / 1000.0), to_timestamp(expires_at / 1000.0), to_timestamp(completed_at / 1000.0),
      completed_by
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as fresh (
      id text, merchant_id text, mode text, type text, status text, exception text, step int8, crypto text, network text,
      deposit_address text, due_base_units numeric, paid_base_units numeric, amount_crypto text, amount_fiat text,
      amount_usd text, currency_fiat text, fiat_to_usd_rate text, exchange_rate text, rate_sources jsonb,
      confirmations_required int4, order_id text, customer_email text, items jsonb, metadata jsonb, success_url text,
      cancel_url text, idempotency_key text, request_hash text, client_hash text, opened_by_key text, shopper_hash text,
      client_subnet_hash text, created_at int8, updated_at int8, expires_at int8, completed_at int8, completed_by text
    )`.execute(trx);
}

async function projectMetadata(trx: Transaction<Database>, started: readonly TransactionStep[]): Promise<void> {
  const rows = started.flatMap((step) => {
    const { merchant_id, mode, metadata } = termsOf(step);
    return metadata === null ? [] : [{ id: step.actorId, merchant_id, mode, metadata }];
  });
  if (rows.length === 0) return;
  const columns = sql`id text, merchant_id text, mode text, metadata jsonb`;
  await insertMetadataValues(
    trx,
    sql`(select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as fresh (${columns}))`,
  );
}

/** Deletes the identity of the shopper once the payment can no longer become pending. */
async function updateTransactions(trx: Transaction<Database>, steps: readonly TransactionStep[]): Promise<void> {
  if (steps.length === 0) return;
  const rows = steps.map(rowOf);
  const column = <K extends keyof Row>(name: K) => rows.map((row) => row[name]);
  await sql`
    update transaction set status = next.status, exception = next.exception, step = next.step, paid_base_units = next.paid_base_units,
      updated_at = to_timestamp(next.updated_at / 1000.0), expires_at = to_timestamp(next.expires_at / 1000.0),
      completed_at = to_timestamp(next.completed_at / 1000.0), completed_by = next.completed_by,
      client_hash = case when ${MAY_BE_PENDING} then transaction.client_hash end,
      opened_by_key = case when ${MAY_BE_PENDING} then transaction.opened_by_key end,
      shopper_hash = case when ${MAY_BE_PENDING} then transaction.shopper_hash end,
      client_subnet_hash = case when ${MAY_BE_PENDING} then transaction.client_subnet_hash end
    from unnest(
      ${column('id')}::text[], ${column('status')}::text[], ${column('exception')}::text[],
      ${column('step')}::int8[], ${column('paid_base_units')}::numeric[], ${column('updated_at')}::int8[], ${column('expires_at')}::int8[],
      ${column('completed_at')}::int8[], ${column('completed_by')}::text[]
    ) as next (id, status, exception, step, paid_base_units, updated_at, expires_at, completed_at, completed_by)
    where transaction.id = next.id`.execute(trx);
}

const MAY_BE_PENDING = sql`next.status in ('pending', 'partial', 'awaiting_confirmation')`;

type Row = ReturnType<typeof rowOf>;

export function rowOf({ actorId, sequence, state, context }: TransactionStep) {
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
    client_hash: facts.clientHash ?? null,
    opened_by_key: facts.opener?.keyId ?? null,
    shopper_hash: facts.opener?.shopperHash ?? null,
    client_subnet_hash: facts.opener?.subnetHash ?? null,
  };
}
