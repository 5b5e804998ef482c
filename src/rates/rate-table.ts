import { createStore } from '@xstate/store';
import { type CryptoSymbol, type FiatCurrency, MINUTE_MS, type UnixMs } from '../../machines/index.ts';
import type { Clock } from '../clock.ts';
import type { PricedSymbol } from '../config/index.ts';
import { RetryableError } from '../errors.ts';
import { agreedPrice } from './median.ts';
import type { Quotes, SourceKind } from './source.ts';

/** A price that may be used now. */
export interface Rate {
  /** USD per whole unit: a plain decimal of at most 15 significant digits. */
  readonly usd: string;
  /** When the oldest price in it was made or, if its source does not say, given; never in the future. */
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
  /** `publishedAt` is when the oldest of the prices was made, if the source says so. */
  accept(source: string, quotes: Quotes, kind: SourceKind, publishedAt?: UnixMs | null): void;
  fail(source: string, message: string): void;
  /** How each source is doing, sorted by name. */
  status(): readonly SourceStatus[];
}

export interface SourceStatus {
  readonly source: string;
  /** Of its last answer; of a reference, the moment it was published. */
  readonly succeededAt: UnixMs | null;
  readonly failedAt: UnixMs | null;
  readonly failure: string | null;
}

/** An answer older than this is not used: better no payment than one at yesterday's price. */
export const RATES_MAX_AGE_MS = 5 * MINUTE_MS;

/**
 * Holds the last answer of every source and computes a rate when it is asked for: the median of those answers that are
 * young enough at that moment, so nothing has to notice the passing of time.
 *
 * Ages are measured on a clock that never jumps: a wall clock that is set back would keep old prices alive. One that is ahead of it
 * has been running while the machine was asleep, and is believed as well.
 */
export function createRateTable({
  clock,
  monotonicMs = () => performance.now(),
  maxAgeMs = RATES_MAX_AGE_MS,
}: RateTableOptions): WritableRateTable {
  const answers: Readonly<Record<string, SourceAnswer>> = {};
  const store = createStore({
    context: { answers },
    on: {
      accepted: ({ answers }, { source, ...answer }: { source: string } & Accepted) => ({
        answers: { ...answers, [source]: { ...answer, mayAge: answer.kind !== 'own', failedAt: null, failure: null } },
      }),
      // Rates that do not age by themselves begin to when they can no longer be confirmed.
      failed: ({ answers }, event: { source: string; message: string; at: UnixMs }) => ({
        answers: {
          ...answers,
          [event.source]: {
            ...(answers[event.source] ?? NO_ANSWER),
            mayAge: true,
            failedAt: event.at,
            failure: event.message,
          },
        },
      }),
    },
  });

  const ageOf = ({ kind, pricedAt, acceptedAt, acceptedAtMonotonic }: SourceAnswer) =>
    Math.max(clock.now() - acceptedAt, monotonicMs() - acceptedAtMonotonic) +
    (kind === 'reference' ? 0 : acceptedAt - pricedAt);

  function rateOf(symbol: PricedSymbol): Rate | null {
    const usable = Object.entries(store.getSnapshot().context.answers).flatMap(([source, answer]) => {
      const usd = answer.quotes[symbol];
      if (usd === undefined || (answer.mayAge && ageOf(answer) > maxAgeMs)) return [];
      return [{ source, usd, at: answer.pricedAt, isReference: answer.kind === 'reference' }];
    });
    const agreed = agreedPrice(usable);
    if (agreed === null) return null;
    const times = usable.filter(({ source }) => agreed.sources.includes(source)).map(({ at }) => at);
    return { ...agreed, updatedAt: Math.min(clock.now(), ...times) };
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
    },
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
  /** Milliseconds on a clock that never jumps; only differences count. */
  readonly monotonicMs?: () => number;
  readonly maxAgeMs?: number;
}

interface Accepted {
  readonly quotes: Quotes;
  readonly kind: SourceKind;
  readonly pricedAt: UnixMs;
  readonly acceptedAt: UnixMs;
  readonly acceptedAtMonotonic: number;
  readonly succeededAt: UnixMs | null;
}

interface SourceAnswer extends Accepted {
  readonly mayAge: boolean;
  readonly failedAt: UnixMs | null;
  readonly failure: string | null;
}

const NO_ANSWER: Accepted = {
  quotes: {},
  kind: 'market',
  pricedAt: 0,
  acceptedAt: 0,
  acceptedAtMonotonic: 0,
  succeededAt: null,
};

/** Sources are asked every minute; sooner than half of that nothing is likely to change. */
const RETRY_AFTER_MS = MINUTE_MS / 2;
