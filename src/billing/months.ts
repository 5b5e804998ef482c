import { DAY_MS, type UnixMs } from '../../machines/index.ts';

/** Calendar months in UTC: what is counted is counted per month, and plans run for months. */

/** The month a moment lies in, like `2026-11`. */
export function monthOf(at: UnixMs): string {
  return new Date(at).toISOString().slice(0, 7);
}

/** When the month after the one of `at` begins: the counter starts again then. */
export function nextMonthStart(at: UnixMs): UnixMs {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** The same day and time so many months later; the last day of the month when that has no such day (31 Jan → 28 Feb). */
export function addMonths(at: UnixMs, months: number): UnixMs {
  const date = new Date(at);
  const day = date.getUTCDate();
  const firstOfTarget = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
  const daysOfTarget = (nextMonthStart(firstOfTarget) - firstOfTarget) / DAY_MS;
  const timeOfDay = at - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day);
  return firstOfTarget + (Math.min(day, daysOfTarget) - 1) * DAY_MS + timeOfDay;
}
