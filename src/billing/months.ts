import { DAY_MS, type UnixMs } from '../../machines/index.ts';

/** Calendar months in UTC: what is counted is counted per month, and plans run for months. */

/** The month a moment lies in, like `2026-11`. */
export function monthOf(at: UnixMs): string {
  return new Date(at).toISOString().slice(0, 7);
}

/** The day of the month, 1 to 31. */
export function dayOfMonth(at: UnixMs): number {
  return new Date(at).getUTCDate();
}

/** When the month after the one of `at` begins: the counter starts again then. */
export function nextMonthStart(at: UnixMs): UnixMs {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/**
 * The same time so many months later, on `day`, or on the last day of the month when that has no such day (31 Jan → 28 Feb).
 * Whoever adds months again and again hands on the day that was meant at first, or 31 Jan ends up on the 28th for good.
 */
export function addMonths(at: UnixMs, months: number, day: number = dayOfMonth(at)): UnixMs {
  const date = new Date(at);
  const firstOfTarget = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
  const daysOfTarget = (nextMonthStart(firstOfTarget) - firstOfTarget) / DAY_MS;
  const timeOfDay = at - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  return firstOfTarget + (Math.min(day, daysOfTarget) - 1) * DAY_MS + timeOfDay;
}
