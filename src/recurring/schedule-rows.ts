import { type Kysely, type Selectable, sql } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Scope } from '../payments/index.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, onlyReadable } from '../platform/db/index.ts';
import { readClockOffset } from '../platform/engine/index.ts';
import { TerminalError } from '../platform/errors.ts';
import type { ScheduleEndReason, ScheduleListRequest, SchedulePage, ScheduleView } from './schedule.ts';

export type ScheduleRow = Selectable<Database['schedule']>;

/** The schedule, if it is of this merchant and mode; otherwise throws `SCHEDULE_NOT_FOUND`. */
export async function requireSchedule(
  db: Kysely<Database>,
  { merchantId, mode }: Scope,
  scheduleId: string,
): Promise<ScheduleRow> {
  const row = await db
    .selectFrom('schedule')
    .selectAll()
    .where('id', '=', scheduleId)
    .where('merchant_id', '=', merchantId)
    .where('mode', '=', mode)
    .executeTakeFirst();
  if (row !== undefined) return row;
  throw notFound();
}

/**
 * The id of a schedule in lower case, because UUIDs may be written in either case (RFC 9562, 4).
 * Throws `SCHEDULE_NOT_FOUND` for text that is no UUID, before it reaches the database.
 */
export function readScheduleId(text: string): string {
  if (UUID.test(text)) return text.toLowerCase();
  throw notFound();
}

/** One schedule. Throws `SCHEDULE_NOT_FOUND`, also for another merchant's. */
export async function getSchedule(
  { db }: { readonly db: Kysely<Database> },
  scope: Scope,
  scheduleId: string,
): Promise<ScheduleView> {
  return scheduleViewOf(await requireSchedule(db, scope, scheduleId));
}

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
  const { rows } = await sql<ScheduleRow & { readonly id: string | null; readonly total: number }>`
      with page as (select * ${matching} order by created_at desc, id desc limit ${limit} offset ${offset})
      select (select count(*) ${matching}) as total, page.*
      from (select) as always left join page on true
      order by created_at desc, page.id desc`.execute(db);
  const found = rows.filter(({ id }) => id !== null);
  const readable = await onlyReadable(db, found, ({ id }) => ({ actorId: id, what: 'a schedule in lists' }));
  const schedules = readable.map(scheduleViewOf);
  return { schedules, total: rows[0]?.total ?? 0 };
}

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
  const aheadMs = await readClockOffset(db, scheduleId);
  return clock.now() + aheadMs;
}

// Helpers

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function notFound(): TerminalError {
  return new TerminalError('SCHEDULE_NOT_FOUND', 'No recurring payment request has this id.');
}

function scheduleViewOf(row: ScheduleRow): ScheduleView {
  return {
    id: row.id,
    reference: row.reference,
    customerEmail: row.customer_email,
    description: row.description,
    amount: row.amount_fiat,
    currency: row.currency_fiat,
    interval: row.interval,
    status: row.status,
    crypto: row.crypto,
    startAt: row.start_at,
    maxPeriods: row.max_periods,
    metadata: row.metadata,
    successUrl: row.success_url,
    isTest: row.mode === 'test',
    confirmationsSent: row.confirmations_sent,
    lastPeriodNo: row.last_period_no,
    nextDueAt: row.next_due_at,
    createdAt: row.created_at,
    confirmedAt: row.confirmed_at,
    endedAt: row.ended_at,
    endReason: row.end_reason as ScheduleEndReason | null,
  };
}
