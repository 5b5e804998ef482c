import { createStore } from '@xstate/store';
import { type CryptoSymbol, type FiatCurrency, MINUTE_MS, type UnixMs } from '../../machines/index.ts';
import type { Clock } from '../clock.ts';
import type { PricedSymbol } from '../config/index.ts';
import { RetryableError } from '../errors.ts';
import { agreedPrice } from './median.ts';
import type { Quotes } from './source.ts';

/** A price that may be used now. */
export interface Rate {
  /** USD per whole unit: a plain decimal of at most 15 significant digits. */
  readonly usd: string;
  /** When the oldest answer in it was given. */
  readonly updatedAt: UnixMs;
  /** Names of the sources that agree on it, sorted. */
  readonly sources: readonly string[];
}

/** The rates as those who quote see them. A rate that is too old is as good as none. */
export interface RateTable {
  get(symbol: CryptoSymbol): Rate | null;
  /** USD per unit of the currency; always 1 for USD. */
  getFiat(currency: FiatCurrency): Rate | null;
}

/** A table with the side on which sources put their answers. */
export interface WritableRateTable extends RateTable {
  accept(source: string, quotes: Quotes, ages: boolean): void;
  fail(source: string, message: string): void;
  /** How each source is doing, sorted by name. */
  status(): readonly SourceStatus[];
}

export interface SourceStatus {
  readonly source: string;
  readonly succeededAt: UnixMs | null;
  readonly failedAt: UnixMs | null;
  readonly failure: string | null;
}

/** An answer older than this is not used: better no payment than one at yesterday's price. */
export const RATES_MAX_AGE_MS = 5 * MINUTE_MS;

/**
 * Holds the last answer of every source and computes a rate when it is asked for: the median of those answers that are
 * young enough at that moment, so nothing has to notice the passing of time.
 */
export function createRateTable({ clock, maxAgeMs = RATES_MAX_AGE_MS }: RateTableOptions): WritableRateTable {
  const answers: Readonly<Record<string, SourceAnswer>> = {};
  const store = createStore({
    context: { answers },
    on: {
      accepted: ({ answers }, event: { source: string; quotes: Quotes; ages: boolean; at: UnixMs }) => ({
        answers: {
          ...answers,
          [event.source]: {
            quotes: event.quotes,
            ages: event.ages,
            succeededAt: event.at,
            failedAt: null,
            failure: null,
          },
        },
      }),
      // Rates that do not age by themselves begin to when they can no longer be confirmed.
      failed: ({ answers }, event: { source: string; message: string; at: UnixMs }) => ({
        answers: {
          ...answers,
          [event.source]: {
            ...(answers[event.source] ?? { quotes: {}, succeededAt: null }),
            ages: true,
            failedAt: event.at,
            failure: event.message,
          },
        },
      }),
    },
  });

  function rateOf(symbol: PricedSymbol): Rate | null {
    const now = clock.now();
    const usable = Object.entries(store.getSnapshot().context.answers).flatMap(([source, answer]) => {
      const usd = answer.quotes[symbol];
      if (usd === undefined || answer.succeededAt === null) return [];
      if (answer.ages && now - answer.succeededAt > maxAgeMs) return [];
      return [{ source, usd, at: answer.succeededAt }];
    });
    const agreed = agreedPrice(usable);
    if (agreed === null) return null;
    const times = usable.filter(({ source }) => agreed.sources.includes(source)).map(({ at }) => at);
    return { ...agreed, updatedAt: Math.min(...times) };
  }

  return {
    get: rateOf,
    getFiat: (currency) => (currency === 'USD' ? { usd: '1', updatedAt: clock.now(), sources: [] } : rateOf(currency)),
    accept: (source, quotes, ages) => store.trigger.accepted({ source, quotes, ages, at: clock.now() }),
    fail: (source, message) => store.trigger.failed({ source, message, at: clock.now() }),
    status: () =>
      Object.entries(store.getSnapshot().context.answers)
        .map(([source, { succeededAt, failedAt, failure }]) => ({ source, succeededAt, failedAt, failure }))
        .sort((a, b) => (a.source < b.source ? -1 : 1)),
  };
}

/** A table that answers from the second where the first has no usable rate. */
export function withFallback(first: RateTable, second: RateTable): RateTable {
  return {
    get: (symbol) => first.get(symbol) ?? second.get(symbol),
    getFiat: (currency) => first.getFiat(currency) ?? second.getFiat(currency),
  };
}

/** The rates a quote needs, or a `RetryableError` RATE_FETCH_FAILED that names what is missing. */
export function requireRates(table: RateTable, symbol: CryptoSymbol, currency: FiatCurrency): RatePair {
  const [crypto, fiat] = [table.get(symbol), table.getFiat(currency)];
  if (crypto !== null && fiat !== null) return { crypto, fiat };
  throw ratesUnavailable(crypto === null ? symbol : currency);
}

/** `what` is what there is no rate for. */
export function ratesUnavailable(what: string): RetryableError {
  const message = `There is no current exchange rate for ${what}. Try again shortly.`;
  return new RetryableError('RATE_FETCH_FAILED', message, { retryAfterMs: RETRY_AFTER_MS });
}

export interface RatePair {
  readonly crypto: Rate;
  readonly fiat: Rate;
}

// Helpers

interface RateTableOptions {
  readonly clock: Clock;
  readonly maxAgeMs?: number;
}

interface SourceAnswer {
  readonly quotes: Quotes;
  readonly ages: boolean;
  readonly succeededAt: UnixMs | null;
  readonly failedAt: UnixMs | null;
  readonly failure: string | null;
}

/** Sources are asked every minute; sooner than half of that nothing is likely to change. */
const RETRY_AFTER_MS = MINUTE_MS / 2;
