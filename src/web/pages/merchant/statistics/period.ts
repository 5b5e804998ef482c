import type { StatisticsInterval } from '../../../../http/console/merchant/statistics/schemas.ts';
import { dayOf } from '../../../ui/values/time-text.ts';

/** Periods by their name in the URL; days, weeks and months are in UTC. */
export const PERIODS = [
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['year', '12 months'],
  ['own', 'Custom dates'],
] as const;
export type PeriodName = (typeof PERIODS)[number][0];

export const INTERVALS = [
  ['day', 'Days'],
  ['week', 'Weeks'],
  ['month', 'Months'],
] as const satisfies readonly (readonly [StatisticsInterval, string])[];

export interface Period {
  readonly name: PeriodName;
  readonly from: number;
  readonly to: number;
  readonly interval: StatisticsInterval;
  /** The period to compare with: of the same length, and ending equally far into its last day. */
  readonly before: { readonly from: number; readonly to: number };
}

/** The period in the URL, or why it is invalid. */
export type PeriodFromUrl =
  | { readonly ok: true; readonly period: Period }
  | { readonly ok: false; readonly name: 'own'; readonly problem: string };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The server's maximum. */
const MAX_DAYS = 366;
/** More bars are indistinguishable on a small screen. */
const MAX_RANGE_DAYS = 92;

/**
 * Reads the period from a URL. Unknown values count as missing: the last 30 days, with a suitable
 * interval.
 */
export function periodOf(query: Pick<URLSearchParams, 'get'>, now: number): PeriodFromUrl {
  const name = PERIODS.map(([each]) => each).find((each) => each === query.get('period')) ?? '30d';
  const chosen = INTERVALS.map(([each]) => each).find((each) => each === query.get('interval'));
  if (name === 'own') return ownPeriod(query, chosen);
  const to = endOfHour(now);
  if (name === 'year') {
    const [year, month] = [new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()];
    const from = Date.UTC(year, month - 11);
    const before = { from: Date.UTC(year - 1, month - 11), to: Math.min(yearBefore(to), from) };
    return { ok: true, period: { name, from, to, interval: chosen ?? 'month', before } };
  }
  const days = DAYS[name];
  const { from } = lastDays(days, now);
  const before = { from: from - days * DAY_MS, to: to - days * DAY_MS };
  return { ok: true, period: { name, from, to, interval: chosen ?? 'day', before } };
}

/** Today and the days before it, in UTC. */
export function lastDays(days: number, now: number): Pick<Period, 'from' | 'to'> {
  return { from: startOfDay(now) - (days - 1) * DAY_MS, to: endOfHour(now) };
}

// Helpers

const DAYS: Readonly<Record<Exclude<PeriodName, 'year' | 'own'>, number>> = { '7d': 7, '30d': 30, '90d': 90 };
/** The first block of Bitcoin; the comparison period reaches at most a year further back. */
const FIRST_DAY = Date.UTC(2009, 0, 3);

function ownPeriod(query: Pick<URLSearchParams, 'get'>, chosen: StatisticsInterval | undefined): PeriodFromUrl {
  const [from, lastDay] = [dayOf(query.get('from')), dayOf(query.get('to'))];
  if (from === null || lastDay === null)
    return { ok: false, name: 'own', problem: 'Choose the first and the last day.' };
  if (from < FIRST_DAY) return { ok: false, name: 'own', problem: 'Choose a first day on or after 3 January 2009.' };
  if (from > lastDay) return { ok: false, name: 'own', problem: 'The first day must be before the last day.' };
  const to = lastDay + DAY_MS;
  const days = (to - from) / DAY_MS;
  if (days > MAX_DAYS) {
    return { ok: false, name: 'own', problem: `This range has ${days} days. Choose at most ${MAX_DAYS}.` };
  }
  const interval = chosen ?? (days > MAX_RANGE_DAYS ? 'week' : 'day');
  return { ok: true, period: { name: 'own', from, to, interval, before: { from: from - (to - from), to: from } } };
}

/** The end of a period up to now: a query stays the same for a while. */
function endOfHour(at: number): number {
  return (Math.floor(at / HOUR_MS) + 1) * HOUR_MS;
}

function startOfDay(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS;
}

function yearBefore(at: number): number {
  const date = new Date(at);
  return date.setUTCFullYear(date.getUTCFullYear() - 1);
}
