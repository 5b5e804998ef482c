import { DAY_MS, type UnixMs } from '../vocabulary/time.ts';

export const INTERVALS = ['weekly', 'monthly', 'quarterly', 'yearly'] as const;
export type Interval = (typeof INTERVALS)[number];

/**
 * When period `periodNo` (from 1) is due: the anchor plus that many intervals. Months are counted
 * from the anchor and not from the previous period, so the day is clamped to the end of a short
 * month and restored afterwards: 31 January, 28 February, 31 March. All in UTC, at the anchor's
 * time of day.
 */
export function periodDueAt(anchor: UnixMs, interval: Interval, periodNo: number): UnixMs {
  const steps = periodNo - 1;
  if (interval === 'weekly') return anchor + steps * WEEK_MS;
  return addMonths(anchor, steps * MONTHS[interval]);
}

/** The newest period due at `at`; 0 before the first. */
export function newestPeriodDue(anchor: UnixMs, interval: Interval, at: UnixMs): number {
  if (at < anchor) return 0;
  if (interval === 'weekly') return Math.floor((at - anchor) / WEEK_MS) + 1;
  const [from, to] = [new Date(anchor), new Date(at)];
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const candidate = Math.floor(months / MONTHS[interval]) + 1;
  return periodDueAt(anchor, interval, candidate) <= at ? candidate : candidate - 1;
}

/**
 * The same time `months` later in UTC, on `day`, clamped to the last day of the month (31 Jan → 28
 * Feb). When adding repeatedly, pass the original day, or 31 Jan becomes the 28th permanently.
 */
export function addMonths(at: UnixMs, months: number, day: number = new Date(at).getUTCDate()): UnixMs {
  const date = new Date(at);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, lastDay));
}

// Helpers

const WEEK_MS = 7 * DAY_MS;

const MONTHS: { readonly [I in Exclude<Interval, 'weekly'>]: number } = { monthly: 1, quarterly: 3, yearly: 12 };
