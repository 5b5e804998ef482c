import { sql, type Transaction } from 'kysely';
import { nextPeriod, scheduleStatusOf } from '../../../machines/index.ts';
import { type Database, insertUnnested, jsonText, settleAll, unnestRows } from '../../platform/db/index.ts';
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

type ProjectedSchedule = ReturnType<typeof rowOf>;

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
  const details = attachment as ScheduleAttachment;
  return {
    merchant_id: details.merchantId,
    mode: details.mode,
    reference: details.reference,
    customer_email: details.customerEmail,
    description: details.description,
    amount_fiat: details.amountFiat,
    currency_fiat: details.currencyFiat,
    interval: context.interval,
    crypto: details.crypto,
    start_at: context.startAt,
    max_periods: context.maxPeriods,
    metadata: jsonText(details.metadata),
    success_url: details.successUrl,
    idempotency_key: details.idempotencyKey,
    request_hash: details.requestHash,
    created_at: context.createdAt,
  };
}

const CHANGING_COLUMNS = {
  text: ['id', 'status', 'end_reason'],
  int4: ['confirmations_sent', 'last_period_no'],
  timestamptz: ['next_due_at', 'updated_at', 'confirmed_at', 'ended_at'],
} as const;
const TERMS_TEXTS = ['merchant_id', 'mode', 'reference', 'customer_email', 'description', 'amount_fiat'] as const;
const ALL_COLUMNS = {
  text: [
    ...CHANGING_COLUMNS.text,
    ...TERMS_TEXTS,
    'currency_fiat',
    'interval',
    'crypto',
    'success_url',
    'idempotency_key',
    'request_hash',
  ],
  int4: [...CHANGING_COLUMNS.int4, 'max_periods'],
  jsonb: ['metadata'],
  timestamptz: [...CHANGING_COLUMNS.timestamptz, 'start_at', 'created_at'],
} as const;

async function insertSchedules(
  trx: Transaction<Database>,
  rows: readonly (ProjectedSchedule & ReturnType<typeof termsOf>)[],
): Promise<void> {
  if (rows.length === 0) return;
  await insertUnnested('schedule', ALL_COLUMNS, rows).execute(trx);
}

async function updateSchedules(trx: Transaction<Database>, rows: readonly ProjectedSchedule[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update schedule set status = next.status, end_reason = next.end_reason,
      confirmations_sent = next.confirmations_sent, last_period_no = next.last_period_no,
      next_due_at = next.next_due_at, updated_at = next.updated_at,
      confirmed_at = coalesce(next.confirmed_at, schedule.confirmed_at), ended_at = next.ended_at
    from ${unnestRows('next', CHANGING_COLUMNS, rows)}
    where schedule.id = next.id`.execute(trx);
}
