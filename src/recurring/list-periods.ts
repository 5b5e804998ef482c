import { type Kysely, type Selectable, sql } from 'kysely';
import type { Scope } from '../payments/index.ts';
import type { Database } from '../platform/db/index.ts';
import { type CustomerLinks, enableLinks } from './customer-links.ts';
import type { PeriodPage, PeriodView } from './schedule.ts';
import { requireSchedule } from './schedule-rows.ts';

/**
 * The periods of a schedule that were requested or skipped, newest first. Throws
 * `SCHEDULE_NOT_FOUND`.
 */
export async function listPeriods(
  { db, links }: { readonly db: Kysely<Database>; readonly links: CustomerLinks },
  scope: Scope,
  scheduleId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<PeriodPage> {
  const { last_period_no: total } = await requireSchedule(db, scope, scheduleId);
  const { rows } = await sql<PeriodRow>`
      select schedule_period.*, tried.attempts, tried.excess
      from schedule_period
      cross join lateral (
        select coalesce(array_agg(transaction_id order by created_at desc, transaction_id), '{}') as attempts,
          coalesce(array_agg(transaction_id order by created_at, transaction_id) filter (where is_excess), '{}') as excess
        from schedule_attempt join transaction on transaction.id = transaction_id
        where schedule_attempt.schedule_id = schedule_period.schedule_id
          and schedule_attempt.period_no = schedule_period.period_no
      ) as tried
      where schedule_id = ${scheduleId}
      order by period_no desc limit ${limit} offset ${offset}`.execute(db);
  const open = rows.filter(({ status }) => status !== 'skipped');
  await enableLinks(
    db,
    links,
    open.map(({ period_no: periodNo }) => ({ purpose: 'pay', scheduleId, periodNo })),
  );
  return { periods: rows.map((row) => periodViewOf(row, links)), total };
}

// Helpers

interface PeriodRow extends Selectable<Database['schedule_period']> {
  readonly attempts: string[];
  readonly excess: string[];
}

function periodViewOf(row: PeriodRow, links: CustomerLinks): PeriodView {
  const { schedule_id: scheduleId, period_no: periodNo, status } = row;
  return {
    periodNo,
    status,
    dueAt: row.due_at,
    requestedAt: row.requested_at,
    remindersSent: row.reminders_sent,
    settledAt: row.settled_at,
    paymentId: row.transaction_id,
    paymentUrl: status === 'skipped' ? null : links.urlOf({ purpose: 'pay', scheduleId, periodNo }),
    attemptIds: row.attempts,
    excessPaymentIds: row.excess,
  };
}
