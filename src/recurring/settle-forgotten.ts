import { sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { CompletionHook } from '../payments/index.ts';
import { type Database, settleAll, unnestRows } from '../platform/db/index.ts';
import { currentStateOf } from '../platform/engine/index.ts';
import { type ExcessPayment, reportExcess } from './projection/excess.ts';
import { readStoredSchedules } from './projection/stored-schedules.ts';
import type { ScheduleStep } from './schedule-step.ts';

/**
 * Settles periods of schedules whose actor is done and receives no more events, in the commit that
 * completes the payment. The merchant's decision on late coins has no deadline, so it can follow
 * that. Such a schedule raises no webhook events; the merchant receives those of the payment.
 */
export const settleForgottenPeriods: CompletionHook = (trx, completions) =>
  settlePayments(trx, new Map(completions.map(({ transactionId, completedAt }) => [transactionId, completedAt])));

/**
 * Settles them for messages that arrived after their schedule was done: the commit that completed
 * the payment may have found it still active. Ignores payments that are settled already.
 */
export async function settleMissedPeriods(trx: Transaction<Database>, steps: readonly ScheduleStep[]): Promise<void> {
  const missed = steps.flatMap(({ event, at }): [string, UnixMs][] =>
    event.type === 'payment.completed' ? [[String(event.transactionId), at]] : [],
  );
  await settlePayments(trx, new Map(missed));
}

// Helpers

/** Times of completion, by payment. */
type PaidAt = ReadonlyMap<string, UnixMs>;

async function settlePayments(trx: Transaction<Database>, paidAt: PaidAt): Promise<void> {
  const paid = await lockPeriods(trx, [...paidAt.keys()]);
  if (paid.length === 0) return;
  const atOf = ({ transaction_id: id }: PaidPeriod) => paidAt.get(id) ?? 0;
  const settling = paid.filter(isFirstForUnpaid);
  const excess = paid.filter((each) => !settling.includes(each)).map((each) => toExcess(each, atOf(each)));
  const schedules = await readStoredSchedules(
    trx,
    excess.map(({ scheduleId }) => scheduleId),
  );
  await settleAll([
    settlePeriods(
      trx,
      settling.map((each) => ({ ...each, settled_at: atOf(each) })),
    ),
    reportExcess(trx, excess, schedules),
  ]);
}

interface PaidPeriod {
  readonly transaction_id: string;
  readonly schedule_id: string;
  readonly period_no: number;
  readonly status: string;
}

/**
 * The periods of payments not settled yet, locked in key order, so that two batches cannot
 * deadlock. The rows are read as they are after waiting.
 */
async function lockPeriods(trx: Transaction<Database>, transactionIds: readonly string[]): Promise<PaidPeriod[]> {
  if (transactionIds.length === 0) return [];
  const { rows } = await sql<PaidPeriod>`
    select attempt.transaction_id, schedule_id, period_no, period.status
    from schedule_attempt as attempt cross join lateral ${currentStateOf(sql`schedule_id`)} as actor
      join schedule_period as period using (schedule_id, period_no)
    where attempt.transaction_id = any(${transactionIds}::text[]) and actor.status = 'done'
      and period.transaction_id is distinct from attempt.transaction_id and not attempt.is_excess
    order by schedule_id, period_no, attempt.transaction_id for no key update of period`.execute(trx);
  return rows;
}

/** One payment settles a period; any other is excess. */
function isFirstForUnpaid(paid: PaidPeriod, index: number, all: readonly PaidPeriod[]): boolean {
  const before = all[index - 1];
  const isOfSame = before?.schedule_id === paid.schedule_id && before.period_no === paid.period_no;
  return paid.status === 'unpaid' && !isOfSame;
}

async function settlePeriods(
  trx: Transaction<Database>,
  periods: readonly (PaidPeriod & { readonly settled_at: UnixMs })[],
): Promise<void> {
  if (periods.length === 0) return;
  const columns = {
    text: ['schedule_id', 'transaction_id'],
    int4: ['period_no'],
    timestamptz: ['settled_at'],
  } as const;
  await sql`
    update schedule_period set status = 'paid', transaction_id = done.transaction_id,
      settled_at = done.settled_at
    from ${unnestRows('done', columns, periods)}
    where schedule_period.schedule_id = done.schedule_id and schedule_period.period_no = done.period_no`.execute(trx);
}

function toExcess({ transaction_id: transactionId, schedule_id, period_no }: PaidPeriod, at: UnixMs): ExcessPayment {
  return { transactionId, scheduleId: schedule_id, periodNo: period_no, at };
}
