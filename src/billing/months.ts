import type { UnixMs } from '../../machines/index.ts';

/** The month of a time, such as `2026-11`. */
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
