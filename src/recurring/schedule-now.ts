import type { Kysely } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Scope } from '../payments/index.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, whileDatabaseAnswers } from '../platform/db/index.ts';
import { readClockOffset } from '../platform/engine/index.ts';
import { requireSchedule } from './schedule-rows.ts';

/**
 * Current time of a schedule's own clock: a test schedule may be years ahead. Throws
 * `SCHEDULE_NOT_FOUND`.
 */
export async function scheduleNow(
  { db, clock }: { readonly db: Kysely<Database>; readonly clock: Clock },
  scope: Scope,
  scheduleId: string,
): Promise<UnixMs> {
  await requireSchedule(db, scope, scheduleId);
  const aheadMs = await whileDatabaseAnswers(() => readClockOffset(db, scheduleId));
  return clock.now() + aheadMs;
}
