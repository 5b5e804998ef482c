import type { Kysely } from 'kysely';
import type { Database } from '../db/index.ts';
import type { Scope } from '../payments/index.ts';
import type { ScheduleView } from './schedule.ts';
import { requireSchedule, scheduleViewOf } from './schedule-rows.ts';

/** One schedule. Throws `SCHEDULE_NOT_FOUND`, also for another merchant's. */
export async function getSchedule(
  { db }: { readonly db: Kysely<Database> },
  scope: Scope,
  scheduleId: string,
): Promise<ScheduleView> {
  return scheduleViewOf(await requireSchedule(db, scope, scheduleId));
}
