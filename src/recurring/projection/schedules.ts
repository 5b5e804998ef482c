import { sql, type Transaction } from 'kysely';
import { nextPeriod, scheduleStatusOf } from '../../../machines/index.ts';
import { type Database, settleAll } from '../../platform/db/index.ts';
import { endReasonOf, type ScheduleAttachment, type ScheduleStep } from '../schedule-step.ts';

/** Writes the schedules in the state after these steps. */
export async function saveSchedules(trx: Transaction<Database>, steps: readonly ScheduleStep[]): Promise<void> {
  const started = new Map(steps.filter(({ outcome }) => outcome === 'started').map((step) => [step.actorId, step]));
  const rows = [...new Map(steps.map((step) => [step.actorId, step])).values()].map((last) => rowOf(last, steps));
  await settleAll([
    insertSchedules(
      trx,
      rows.flatMap((row) => {
        const start = started.get(row.id);
        return start === undefined ? [] : [{ ...row, ...termsOf(start) }];
      }),
    ),
    updateSchedules(
      trx,
      rows.filter(({ id }) => !started.has(id)),
    ),
  ]);
}

// Helpers

type Row = ReturnType<typeof rowOf>;

function rowOf({ actorId, state, context, at }: ScheduleStep, steps: readonly ScheduleStep[]) {
  const status = scheduleStatusOf(state, context);
  const confirmed = steps.find((step) => step.actorId === actorId && step.event.type === 'customer.confirmed');
  return {
    id: actorId,
    status,
    end_reason: endReasonOf(context),
    confirmations_sent: context.confirmationsSent,
    last_period_no: context.lastPeriodNo,
    next_due_at: status === 'active' ? (nextPeriod(context)?.dueAt ?? null) : null,
    updated_at: at,
    /** Null also when it was confirmed earlier. */
    confirmed_at: confirmed?.at ?? null,
    ended_at: context.endedAt,
  };
}

function termsOf({ context, attachment }: ScheduleStep) {
  const facts = attachment as ScheduleAttachment;
  return {
    merchant_id: facts.merchantId,
    mode: facts.mode,
    reference: facts.reference,
    customer_email: facts.customerEmail,
    description: facts.description,
    amount_fiat: facts.amountFiat,
    currency_fiat: facts.currencyFiat,
    interval: context.interval,
    crypto: facts.crypto,
    start_at: context.startAt,
    max_periods: context.maxPeriods,
    metadata: facts.metadata,
    success_url: facts.successUrl,
    idempotency_key: facts.idempotencyKey,
    request_hash: facts.requestHash,
    created_at: context.createdAt,
  };
}

async function insertSchedules(
  trx: Transaction<Database>,
  rows: readonly (Row & ReturnType<typeof termsOf>)[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into schedule (id, merchant_id, mode, reference, customer_email, description, amount_fiat, currency_fiat,
      interval, crypto, start_at, max_periods, metadata, success_url, status, end_reason, confirmations_sent,
      last_period_no, next_due_at, idempotency_key, request_hash, created_at, updated_at, confirmed_at, ended_at)
    select id, merchant_id, mode, reference, customer_email, description, amount_fiat, currency_fiat,
      interval, crypto, to_timestamp(start_at / 1000.0), max_periods, metadata, success_url, status, end_reason,
      confirmations_sent, last_period_no, to_timestamp(next_due_at / 1000.0), idempotency_key, request_hash,
      to_timestamp(created_at / 1000.0), to_timestamp(updated_at / 1000.0), to_timestamp(confirmed_at / 1000.0),
      to_timestamp(ended_at / 1000.0)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as fresh (
      id text, merchant_id text, mode text, reference text, customer_email text, description text, amount_fiat text,
      currency_fiat text, interval text, crypto text, start_at int8, max_periods int4, metadata jsonb,
      success_url text, status text, end_reason text, confirmations_sent int4, last_period_no int4,
      next_due_at int8, idempotency_key text, request_hash text, created_at int8, updated_at int8,
      confirmed_at int8, ended_at int8
    )`.execute(trx);
}

async function updateSchedules(trx: Transaction<Database>, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const column = <K extends keyof Row>(name: K) => rows.map((row) => row[name]);
  await sql`
    update schedule set status = next.status, end_reason = next.end_reason,
      confirmations_sent = next.confirmations_sent, last_period_no = next.last_period_no,
      next_due_at = to_timestamp(next.next_due_at / 1000.0), updated_at = to_timestamp(next.updated_at / 1000.0),
      confirmed_at = coalesce(to_timestamp(next.confirmed_at / 1000.0), schedule.confirmed_at),
      ended_at = to_timestamp(next.ended_at / 1000.0)
    from unnest(
      ${column('id')}::text[], ${column('status')}::text[], ${column('end_reason')}::text[],
      ${column('confirmations_sent')}::int4[], ${column('last_period_no')}::int4[],
      ${column('next_due_at')}::int8[], ${column('updated_at')}::int8[], ${column('confirmed_at')}::int8[],
      ${column('ended_at')}::int8[]
    ) as next (id, status, end_reason, confirmations_sent, last_period_no, next_due_at, updated_at, confirmed_at,
      ended_at)
    where schedule.id = next.id`.execute(trx);
}
