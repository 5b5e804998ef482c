import type { Statistics, StatisticsInterval } from '../../../../http/console/merchant/statistics/schemas.ts';
import { amountText } from '../../../ui/amount-text.ts';
import { durationText } from '../../../ui/time-text.ts';
import { countText } from '../../../ui/word-text.ts';

/** Text of the numbers in the statistics. */

const SECOND_MS = 1_000;
const DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' });
const SHORT_DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });
const MONTH = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' });
const SHORT_MONTH = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'short', year: '2-digit' });

/** A day, week or month, by its start. */
export function stepText(startsAt: number, interval: StatisticsInterval): string {
  if (interval === 'month') return MONTH.format(startsAt);
  return interval === 'week' ? `Week of ${DAY.format(startsAt)}` : DAY.format(startsAt);
}

/** The same, shortened. */
export function shortStepText(startsAt: number, interval: StatisticsInterval): string {
  return (interval === 'month' ? SHORT_MONTH : SHORT_DAY).format(startsAt);
}

/** `24 Oct 2026 to 22 Nov 2026`, both included. */
export function rangeText({ from, to }: { readonly from: number; readonly to: number }): string {
  const [first, last] = [DAY.format(from), DAY.format(to - 1)];
  return first === last ? first : `${first} to ${last}`;
}

/** 0.3333 becomes `33.33 %`; an undefined rate becomes a dash. */
export function rateText(rate: string | null): string {
  return rate === null ? NOTHING : `${trimmed((Number(rate) * 100).toFixed(2))}\u00a0%`;
}

export function secondsText(seconds: number | null): string {
  return seconds === null ? NOTHING : durationText(seconds * SECOND_MS);
}

export function dollarsText(usd: string | null): string {
  return usd === null ? NOTHING : amountText(usd, 'USD');
}

export function paymentsText(count: number): string {
  return countText(count, 'payment');
}

/** The change against the previous period as text; null when there is nothing to compare. */
export function changeText(now: number | null, before: number | null): string | null {
  if (now === null || before === null) return null;
  if (now === before) return 'the same as before';
  if (before === 0) return 'none before';
  const percent = Math.abs(now / before - 1) * 100;
  const shown = percent < 10 ? trimmed(percent.toFixed(1)) : Math.round(percent).toLocaleString('en');
  return `${shown === '0' ? 'less than 0.1' : shown}\u00a0% ${now > before ? 'more' : 'less'} than before`;
}

/** The same for shares, in percentage points. */
export function pointsText(now: string | null, before: string | null): string | null {
  if (now === null || before === null) return null;
  const points = trimmed((Math.abs(Number(now) - Number(before)) * 100).toFixed(2));
  if (points === '0') return 'the same as before';
  return `${points} points ${Number(now) > Number(before) ? 'more' : 'less'} than before`;
}

/** The plots in two sentences, for screen readers and for a quick overview. */
export function summaryText({ totals, series }: Statistics, interval: StatisticsInterval): string {
  const worked = `${totals.completed.toLocaleString('en')} of ${paymentsText(totals.created)} paid, worth ${dollarsText(totals.volumeUsd)}.`;
  const best = series.reduce<Statistics['series'][number] | null>(
    (most, step) => (most === null || Number(step.volumeUsd) > Number(most.volumeUsd) ? step : most),
    null,
  );
  if (best === null || best.completed === 0) return worked;
  return `${worked} Most in one ${interval}: ${dollarsText(best.volumeUsd)}, ${stepText(best.startsAt, interval)}.`;
}

// Helpers

const NOTHING = '–';

function trimmed(decimal: string): string {
  return decimal.replace(/\.?0+$/, '');
}
