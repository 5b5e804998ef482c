import { DAY_MS, type UnixMs } from '../vocabulary/time.ts';
import { newestPeriodDue, periodDueAt } from './calendar.ts';
import type { RequestedPeriod, ScheduleContext } from './types.ts';

/** A schedule that the customer has not confirmed by then expires. */
export const CONFIRMATION_WINDOW_MS = 7 * DAY_MS;
/** Reminders after the request of a period. */
export const REMINDERS_MS: readonly number[] = [3 * DAY_MS, 6 * DAY_MS];
/** A period not paid this long after its request is unpaid, or earlier when the next is due. */
export const UNPAID_AFTER_MS = 7 * DAY_MS;
/** Maximum number of confirmation emails, including the first. */
export const MAX_CONFIRMATIONS = 5;
/** After a schedule has finished, its unpaid periods stay payable for this long. */
export const PAYABLE_AFTER_END_MS = 28 * DAY_MS;
/**
 * An ended schedule receives payment events for this long: longer than any transaction started for
 * it can be paid.
 */
export const FORGET_AFTER_MS = 60 * DAY_MS;

/** The period after the last requested or skipped one; null when there is none. */
export function nextPeriod({ anchor, interval, lastPeriodNo, maxPeriods }: ScheduleContext): Period | null {
  const periodNo = lastPeriodNo + 1;
  if (anchor === null || (maxPeriods !== null && periodNo > maxPeriods)) return null;
  return { periodNo, dueAt: periodDueAt(anchor, interval, periodNo) };
}

/** The newest due period not yet requested or skipped. Earlier ones are skipped, never billed. */
export function newestUnrequested(context: ScheduleContext, at: UnixMs): Period | null {
  const { anchor, interval, lastPeriodNo, maxPeriods } = context;
  if (anchor === null) return null;
  const periodNo = Math.min(newestPeriodDue(anchor, interval, at), maxPeriods ?? Number.POSITIVE_INFINITY);
  return periodNo > lastPeriodNo ? { periodNo, dueAt: periodDueAt(anchor, interval, periodNo) } : null;
}

/** When the current period becomes unpaid. Unix ms. */
export function unpaidAt(context: ScheduleContext, { periodNo, requestedAt }: RequestedPeriod): UnixMs {
  const { anchor, interval, maxPeriods } = context;
  const deadline = requestedAt + UNPAID_AFTER_MS;
  if (anchor === null || periodNo === maxPeriods) return deadline;
  return Math.min(deadline, periodDueAt(anchor, interval, periodNo + 1));
}

/**
 * When the next reminder of the current period is due; null when both are sent or it would be due
 * after the period ends.
 */
export function reminderAt(context: ScheduleContext, current: RequestedPeriod): UnixMs | null {
  const after = REMINDERS_MS[current.remindersSent];
  if (after === undefined) return null;
  const dueAt = current.requestedAt + after;
  return dueAt < unpaidAt(context, current) ? dueAt : null;
}

export interface Period {
  readonly periodNo: number;
  readonly dueAt: UnixMs;
}
