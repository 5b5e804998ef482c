import { type Kysely, sql } from 'kysely';
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
  const { rows } = await sql<Omit<PeriodView, 'paymentUrl'>>`
      select period_no as "periodNo", status, due_at as "dueAt", requested_at as "requestedAt",
        reminders_sent as "remindersSent", settled_at as "settledAt", transaction_id as "paymentId",
        tried."attemptIds", tried."excessPaymentIds"
      from schedule_period
      cross join lateral (
        select coalesce(array_agg(transaction_id order by created_at desc, transaction_id), '{}') as "attemptIds",
          coalesce(array_agg(transaction_id order by created_at, transaction_id) filter (where is_excess), '{}')
            as "excessPaymentIds"
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
    open.map(({ periodNo }) => ({ purpose: 'pay', scheduleId, periodNo })),
  );
  const urlOf = (periodNo: number) => links.urlOf({ purpose: 'pay', scheduleId, periodNo });
  const periods = rows.map((row) => ({ ...row, paymentUrl: row.status === 'skipped' ? null : urlOf(row.periodNo) }));
  return { periods, total };
}
