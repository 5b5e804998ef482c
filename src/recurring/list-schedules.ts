import { type Kysely, sql } from 'kysely';
import { type Database, onlyReadable, whileDatabaseAnswers } from '../db/index.ts';
import type { Scope } from '../payments/index.ts';
import type { ScheduleListRequest, SchedulePage } from './schedule.ts';
import { type ScheduleRow, scheduleViewOf } from './schedule-rows.ts';

/** A page of schedules, newest first, then by id, so that pages neither repeat nor skip one. */
export async function listSchedules(
  { db }: { readonly db: Kysely<Database> },
  { merchantId, mode }: Scope,
  { limit, offset, status, reference }: ScheduleListRequest,
): Promise<SchedulePage> {
  const matching = sql`
    from schedule where merchant_id = ${merchantId} and mode = ${mode}
      ${status === null ? sql`` : sql`and status = ${status}`}
      ${reference === null ? sql`` : sql`and reference = ${reference}`}`;
  // One statement, so that the total and the page come from the same snapshot.
  const { rows } = await whileDatabaseAnswers(() =>
    sql<ScheduleRow & { readonly id: string | null; readonly total: number }>`
      with page as (select * ${matching} order by created_at desc, id desc limit ${limit} offset ${offset})
      select (select count(*) ${matching}) as total, page.*
      from (select) as always left join page on true
      order by created_at desc, page.id desc`.execute(db),
  );
  const found = rows.filter(({ id }) => id !== null);
  const readable = await onlyReadable(db, found, ({ id }) => ({ actorId: id, what: 'a schedule in lists' }));
  const schedules = readable.map(scheduleViewOf);
  return { schedules, pagination: { limit, offset, total: rows[0]?.total ?? 0 } };
}
