import { DAY_MS, type UnixMs } from '../../machines/index.ts';

/** Calendar months in UTC, for monthly usage and plan terms. */

/** The month of a time, like `2026-11`. */
export function monthOf(at: UnixMs): string {
  return new Date(at).toISOString().slice(0, 7);
}

/** The day of the month, 1 to 31. */
export function dayOfMonth(at: UnixMs): number {
  return new Date(at).getUTCDate();
}

/** Start of the next month, when the usage counter resets. */
export function nextMonthStart(at: UnixMs): UnixMs {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/**
 * The same time `months` later, on `day`, clamped to the last day of the month (31 Jan → 28 Feb).
 * When adding repeatedly, pass the original day, or 31 Jan becomes the 28th for good.
 */
export function addMonths(at: UnixMs, months: number, day: number = dayOfMonth(at)): UnixMs {
  const date = new Date(at);
  const firstOfTarget = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
  const daysOfTarget = (nextMonthStart(firstOfTarget) - firstOfTarget) / DAY_MS;
  const timeOfDay = at - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  return firstOfTarget + (Math.min(day, daysOfTarget) - 1) * DAY_MS + timeOfDay;
}
