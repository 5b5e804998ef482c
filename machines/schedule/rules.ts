import { DAY_MS, type UnixMs } from '../vocabulary/time.ts';
import { newestPeriodDue, periodDueAt } from './calendar.ts';
import type { RequestedPeriod, ScheduleContext } from './types.ts';

/** A customer who has not confirmed by then did not want to. */
export const CONFIRMATION_WINDOW_MS = 7 * DAY_MS;
/** Reminders after the request of a period. */
export const REMINDERS_MS: readonly number[] = [3 * DAY_MS, 6 * DAY_MS];
/** A period that is not paid by then after its request is unpaid; never later than the next period is due. */
export const UNPAID_AFTER_MS = 7 * DAY_MS;
/** Confirmations that are sent at most, the first included. */
export const MAX_CONFIRMATIONS = 5;
/** When a schedule has simply come to its end, what is unpaid of it can be paid for this long. */
export const PAYABLE_AFTER_END_MS = 28 * DAY_MS;
/** An ended schedule hears of payments for this long: longer than any transaction that was opened for it can be paid. */
export const FORGET_AFTER_MS = 60 * DAY_MS;

/** The period after the last one that was dealt with; null when there is none. */
export function nextPeriod({ anchor, interval, lastPeriodNo, maxPeriods }: ScheduleContext): Period | null {
  const periodNo = lastPeriodNo + 1;
  if (anchor === null || (maxPeriods !== null && periodNo > maxPeriods)) return null;
  return { periodNo, dueAt: periodDueAt(anchor, interval, periodNo) };
}

/** The newest period that is due and was not dealt with; what lies between is skipped, never billed in bulk. */
export function newestUnrequested(context: ScheduleContext, at: UnixMs): Period | null {
  const { anchor, interval, lastPeriodNo, maxPeriods } = context;
  if (anchor === null) return null;
  const periodNo = Math.min(newestPeriodDue(anchor, interval, at), maxPeriods ?? Number.POSITIVE_INFINITY);
  return periodNo > lastPeriodNo ? { periodNo, dueAt: periodDueAt(anchor, interval, periodNo) } : null;
}

/** When an awaited period becomes unpaid. */
export function unpaidAt(context: ScheduleContext, { periodNo, requestedAt }: RequestedPeriod): UnixMs {
  const { anchor, interval, maxPeriods } = context;
  const deadline = requestedAt + UNPAID_AFTER_MS;
  if (anchor === null || periodNo === maxPeriods) return deadline;
  return Math.min(deadline, periodDueAt(anchor, interval, periodNo + 1));
}

/** The next reminder of an awaited period; null when both are sent or the period is over before. */
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
