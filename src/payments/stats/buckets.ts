import type { UnixMs } from '../../../machines/index.ts';

export const STATS_INTERVALS = ['day', 'week', 'month'] as const;
/** Days, weeks from Monday (ISO 8601) and calendar months, all in UTC. */
export type StatsInterval = (typeof STATS_INTERVALS)[number];

/** Start of every day, week or month that overlaps the range from `from` until before `to`. */
export function startsOfBuckets(range: {
  readonly from: UnixMs;
  readonly to: UnixMs;
  readonly interval: StatsInterval;
}): UnixMs[] {
  const starts: UnixMs[] = [];
  for (let start = startOf(range.from, range.interval); start < range.to; start = after(start, range.interval)) {
    starts.push(start);
  }
  return starts;
}

// Helpers

const DAYS_OF_WEEK = 7;

function startOf(at: UnixMs, interval: StatsInterval): UnixMs {
  const date = new Date(at);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (interval === 'month') return Date.UTC(year, month);
  // `getUTCDay` counts from Sunday (0); weeks here start on Monday.
  const daysSinceMonday = (date.getUTCDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK;
  return Date.UTC(year, month, interval === 'week' ? day - daysSinceMonday : day);
}

function after(start: UnixMs, interval: StatsInterval): UnixMs {
  const date = new Date(start);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (interval === 'month') return Date.UTC(year, month + 1);
  return Date.UTC(year, month, day + (interval === 'week' ? DAYS_OF_WEEK : 1));
}
