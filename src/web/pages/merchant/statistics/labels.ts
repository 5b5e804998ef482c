import type {
  FiatAmount,
  Statistics,
  StatisticsInterval,
  StatsTotals,
} from '../../../../http/console/merchant/statistics/schemas.ts';
import { amountText } from '../../../ui/values/amount-text.ts';
import { durationText } from '../../../ui/values/time-text.ts';
import { countText } from '../../../ui/values/word-text.ts';

/** Text of the numbers in the statistics. */

const SECOND_MS = 1_000;
const DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' });
const SHORT_DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });
const MONTH = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' });
const SHORT_MONTH = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'short', year: '2-digit' });

export function stepText(startsAt: number, interval: StatisticsInterval): string {
  if (interval === 'month') return MONTH.format(startsAt);
  return interval === 'week' ? `Week of ${DAY.format(startsAt)}` : DAY.format(startsAt);
}

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

/** `120.00 EUR, 15.00 USD and 8.00 PLN`; a zero of no currency for none. */
export function amountsText(amounts: readonly FiatAmount[]): string {
  if (amounts.length === 0) return '0';
  return LIST.format(amounts.map(({ amount, currency }) => amountText(amount, currency)));
}

/** The only currency of the amounts; null for several, which only US dollars can add up. */
export function soleCurrency(...parts: readonly Pick<StatsTotals, 'volumes'>[]): FiatAmount['currency'] | null {
  const [currency, ...others] = new Set(parts.flatMap(({ volumes }) => volumes.map((each) => each.currency)));
  return currency === undefined || others.length > 0 ? null : currency;
}

/** The volume as a number, to draw and to compare: in this currency, or all of it in US dollars. */
export function volumeIn(
  { volumes, volumeUsd }: Pick<StatsTotals, 'volumes' | 'volumeUsd'>,
  currency: FiatAmount['currency'] | null,
): number {
  if (currency === null) return Number(volumeUsd);
  return Number(volumes.find((each) => each.currency === currency)?.amount ?? 0);
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

/** `2 of 3 payments paid, 1 not final yet`: open ones are not lost. */
export function paidText({ completed, created, open }: StatsTotals): string {
  const paid = `${completed.toLocaleString('en')} of ${paymentsText(created)} paid`;
  return open === 0 ? paid : `${paid}, ${notFinalText(open)}`;
}

/** `16 not final yet, of these 1 partly paid and 3 paid late`. */
export function openText({
  open,
  partial,
  paidLate,
}: Pick<Statistics['totals'], 'open' | 'partial' | 'paidLate'>): string {
  const count = (value: number, what: string) => (value === 0 ? [] : [`${value.toLocaleString('en')} ${what}`]);
  const parts = [...count(partial, 'partly paid'), ...count(paidLate, 'paid late')];
  return parts.length === 0 ? notFinalText(open) : `${notFinalText(open)}, of these ${parts.join(' and ')}`;
}

/** Payments that have ended, which the conversion rate is about. */
export function endedText({ created, open }: StatsTotals): string {
  return `of ${paymentsText(created - open)} that ended`;
}

/** The plots in two sentences, for screen readers and for a quick overview. */
export function summaryText({ totals, series }: Statistics, interval: StatisticsInterval): string {
  const worth = totals.completed === 0 ? '' : `, worth ${amountsText(totals.volumes)}`;
  const worked = `${totals.completed.toLocaleString('en')} of ${paymentsText(totals.created)} paid${worth}.`;
  const currency = soleCurrency(totals);
  const best = series.reduce<Statistics['series'][number] | null>(
    (most, step) => (most === null || volumeIn(step, currency) > volumeIn(most, currency) ? step : most),
    null,
  );
  if (best === null || best.completed === 0) return worked;
  return `${worked} Most in one ${interval}: ${amountsText(best.volumes)}, ${stepText(best.startsAt, interval)}.`;
}

// Helpers

/** Not "open": a payment that was paid late has expired, and awaits a decision. */
function notFinalText(count: number): string {
  return `${count.toLocaleString('en')} not final yet`;
}

const NOTHING = '–';
const LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' });

function trimmed(decimal: string): string {
  return decimal.replace(/\.?0+$/, '');
}
