import { createStore } from '@xstate/store';
import { type CryptoSymbol, type FiatCurrency, MINUTE_MS, type UnixMs } from '../../machines/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { PricedSymbol } from '../platform/config/index.ts';
import { RetryableError } from '../platform/errors.ts';
import { medianPrice } from './median-price.ts';
import type { Quotes, SourceKind } from './source.ts';

/** A currently usable rate. */
export interface Rate {
  /** USD per whole unit: a plain decimal of at most 15 significant digits. */
  readonly usd: string;
  /** Publication time of its oldest price, or receipt time if unknown; never in the future. */
  readonly updatedAt: UnixMs;
  /** Names of the sources that agree on it, sorted. */
  readonly sources: readonly string[];
}

/** Read access to the current rates. Returns null for a rate that is missing or too old. */
export interface RateTable {
  get(symbol: CryptoSymbol): Rate | null;
  /** USD per unit of the currency; always 1 for USD. */
  getFiat(currency: FiatCurrency): Rate | null;
}

/** A rate table that also accepts results of sources. */
export interface WritableRateTable extends RateTable {
  /** `publishedAt` is the publication time of the oldest price, if the source reports it. */
  accept(source: string, quotes: Quotes, kind: SourceKind, publishedAt?: UnixMs | null): void;
  fail(source: string, message: string): void;
  /** The status of each source, sorted by name. */
  status(): readonly SourceStatus[];
}

export interface SourceStatus {
  readonly source: string;
  /** Time of the last success; for a reference source, the publication time of its rates. */
  readonly succeededAt: UnixMs | null;
  readonly failedAt: UnixMs | null;
  readonly failure: string | null;
}

/** Maximum age of a price. Without a fresh one no payment is created. */
export const RATES_MAX_AGE_MS = 5 * MINUTE_MS;

/**
 * Stores the last result of every source. A rate is computed on each read as the median of the
 * results that are fresh enough at that moment, so no timer has to expire prices.
 *
 * The age is the larger of the elapsed monotonic and wall-clock time: a wall clock set back must
 * not keep old prices alive, and a monotonic clock may stop while the machine sleeps.
 */
export function createRateTable({ clock, monotonicMs = () => performance.now() }: RateTableOptions): WritableRateTable {
  const responses: Readonly<Record<string, SourceResponse>> = {};
  const store = createStore({
    context: { responses },
    on: {
      accepted: ({ responses }, { source, ...response }: { source: string } & Accepted) => ({
        responses: {
          ...responses,
          [source]: { ...response, mayAge: response.kind !== 'own', failedAt: null, failure: null },
        },
      }),
      // After a failed read, the operator's own rates start to age as well.
      failed: ({ responses }, event: { source: string; message: string; at: UnixMs }) => ({
        responses: {
          ...responses,
          [event.source]: {
            ...(responses[event.source] ?? NO_RESPONSE),
            mayAge: true,
            failedAt: event.at,
            failure: event.message,
          },
        },
      }),
    },
  });

  /** Markets whose price others contradict. */
  const doubted = new Map<PricedSymbol, Set<string>>();

  const ageOf = ({ kind, pricedAt, acceptedAt, acceptedAtMonotonic }: SourceResponse) =>
    Math.max(clock.now() - acceptedAt, monotonicMs() - acceptedAtMonotonic) +
    (kind === 'reference' ? 0 : acceptedAt - pricedAt);

  function usableOf(symbol: PricedSymbol) {
    return Object.entries(store.getSnapshot().context.responses).flatMap(([source, response]) => {
      const usd = response.quotes[symbol];
      if (usd === undefined || (response.mayAge && ageOf(response) > RATES_MAX_AGE_MS)) return [];
      const { kind, pricedAt: at, failedAt } = response;
      return [{ source, usd, at, kind, isReference: kind === 'reference', hasFailed: failedAt !== null }];
    });
  }

  function rateOf(symbol: PricedSymbol): Rate | null {
    const usable = usableOf(symbol);
    const median = medianPrice(usable);
    if (median === null) return null;
    const agreeing = usable.filter(({ source }) => median.sources.includes(source));
    const isConfirmed = agreeing.length > 1 || usable.some(({ isReference }) => isReference);
    if (!isConfirmed && agreeing.some(({ source }) => doubted.get(symbol)?.has(source))) return null;
    return { ...median, updatedAt: Math.min(clock.now(), ...agreeing.map(({ at }) => at)) };
  }

  /**
   * Doubts the markets that others contradict, until others agree with them: when the others stop
   * answering, such a source must not become the rate alone. Prices of sources that have failed
   * since may be minutes old, so they contradict only what is far from them.
   */
  function reassess(symbol: PricedSymbol): void {
    const usable = usableOf(symbol);
    const current = usable.filter(({ hasFailed }) => !hasFailed);
    const doubts = doubted.get(symbol) ?? new Set();
    doubted.set(symbol, doubts);
    const agreed = medianPrice(current)?.sources ?? [];
    for (const { source, usd, kind } of current) {
      if (kind !== 'market') continue;
      if (current.length > 1 && agreed.includes(source)) doubts.delete(source);
      else if (current.length > 1) doubts.add(source);
      else if (usable.some((each) => each.hasFailed && isFar(usd, each.usd))) doubts.add(source);
    }
  }

  return {
    get: rateOf,
    getFiat: (currency) => (currency === 'USD' ? { usd: '1', updatedAt: clock.now(), sources: [] } : rateOf(currency)),
    accept: (source, quotes, kind, publishedAt = null) => {
      const acceptedAt = clock.now();
      const pricedAt = Math.min(acceptedAt, publishedAt ?? acceptedAt);
      const succeededAt = kind === 'reference' ? pricedAt : acceptedAt;
      store.trigger.accepted({
        source,
        quotes,
        kind,
        pricedAt,
        acceptedAt,
        acceptedAtMonotonic: monotonicMs(),
        succeededAt,
      });
      for (const symbol of symbolsOf(quotes)) reassess(symbol);
    },
    fail: (source, message) => store.trigger.failed({ source, message, at: clock.now() }),
    status: () =>
      Object.entries(store.getSnapshot().context.responses)
        .map(([source, { succeededAt, failedAt, failure }]) => ({ source, succeededAt, failedAt, failure }))
        .sort((a, b) => (a.source < b.source ? -1 : 1)),
  };
}

/** A table that uses `second` for rates that `first` does not have. */
export function withFallback(first: RateTable, second: RateTable): RateTable {
  return {
    get: (symbol) => first.get(symbol) ?? second.get(symbol),
    getFiat: (currency) => first.getFiat(currency) ?? second.getFiat(currency),
  };
}

/** The rates for a quote. Throws a `RetryableError` RATE_FETCH_FAILED naming the missing rate. */
export function requireRates(table: RateTable, symbol: CryptoSymbol, currency: FiatCurrency): RatePair {
  const [crypto, fiat] = [table.get(symbol), table.getFiat(currency)];
  if (crypto !== null && fiat !== null) return { crypto, fiat };
  throw ratesUnavailable(crypto === null ? symbol : currency);
}

/** `what` is the symbol or currency without a rate. */
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
  /** Monotonic clock in milliseconds; only differences are used. */
  readonly monotonicMs?: () => number;
}

interface Accepted {
  readonly quotes: Quotes;
  readonly kind: SourceKind;
  readonly pricedAt: UnixMs;
  readonly acceptedAt: UnixMs;
  readonly acceptedAtMonotonic: number;
  readonly succeededAt: UnixMs | null;
}

interface SourceResponse extends Accepted {
  readonly mayAge: boolean;
  readonly failedAt: UnixMs | null;
  readonly failure: string | null;
}

const NO_RESPONSE: Accepted = {
  quotes: {},
  kind: 'market',
  pricedAt: 0,
  acceptedAt: 0,
  acceptedAtMonotonic: 0,
  succeededAt: null,
};

/** Further apart than prices move in minutes, so that one of two is wrong. */
function isFar(one: string, other: string): boolean {
  const ratio = Number(one) / Number(other);
  return ratio > FAR_RATIO || ratio < 1 / FAR_RATIO;
}

const FAR_RATIO = 1.25;

function symbolsOf(quotes: Quotes): PricedSymbol[] {
  return Object.keys(quotes) as PricedSymbol[];
}

/** Half the interval at which sources are polled; an earlier retry is unlikely to succeed. */
const RETRY_AFTER_MS = MINUTE_MS / 2;
