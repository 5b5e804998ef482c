import { EventEmitter, once } from 'node:events';
import type { UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../clock.ts';
import { RetryableError } from '../../errors.ts';
import { agreedPrice } from '../median.ts';
import { RATES_MAX_AGE_MS } from '../rate-table.ts';
import type { RateSource } from '../source.ts';

/**
 * What a USDT is worth in USD, by the sources that sell it for dollars. When it falls to 0.95, as it has, a coin costs
 * 5 % more USDT; taking them for dollars would ask the customer for 5 % too few coins.
 */
export interface TetherRate {
  /** The same source; the price of USDT it gives is noted. */
  witness(source: RateSource): RateSource;
  /**
   * USD per USDT, once two witnesses agree on it; one alone could carry its error into another source and outvote the
   * rest. Waits for them until `signal` fires, then throws a `RetryableError` RATE_USDT_UNKNOWN.
   */
  price(signal: AbortSignal): Promise<TetherPrice>;
}

export interface TetherPrice {
  readonly usd: string;
  /** When the oldest price in it was made. What is computed from it is no younger. */
  readonly pricedAt: UnixMs;
}

export interface TetherRateDeps {
  readonly clock: Clock;
  readonly monotonicMs?: () => number;
}

const WITNESSES_NEEDED = 2;

/** `monotonicMs` is a clock that never jumps: by it the prices of witnesses age. */
export function createTetherRate({ clock, monotonicMs = () => performance.now() }: TetherRateDeps): TetherRate {
  const notes = new Map<string, { readonly usd: string; readonly at: number }>();
  const noted = new EventEmitter();

  function agreed(): TetherPrice | null {
    const now = monotonicMs();
    const young = [...notes].flatMap(([source, { usd, at }]) =>
      now - at > RATES_MAX_AGE_MS ? [] : [{ source, usd, ageMs: now - at }],
    );
    const price = agreedPrice(young);
    if (price === null || price.sources.length < WITNESSES_NEEDED) return null;
    const ages = young.filter(({ source }) => price.sources.includes(source)).map(({ ageMs }) => ageMs);
    return { usd: price.usd, pricedAt: clock.now() - Math.max(...ages) };
  }

  /** How old the prices of the last answer already were when they were received. */
  function ageAtReceipt(source: RateSource): number {
    const publishedAt = source.publishedAt?.() ?? null;
    return publishedAt === null ? 0 : Math.max(0, clock.now() - publishedAt);
  }

  return {
    witness: (source) => ({
      ...source,
      async fetch(signal) {
        const quotes = await source.fetch(signal);
        if (quotes.USDT === undefined) notes.delete(source.name);
        else notes.set(source.name, { usd: quotes.USDT, at: monotonicMs() - ageAtReceipt(source) });
        noted.emit('noted');
        return quotes;
      },
    }),

    async price(signal) {
      for (let price = agreed(); ; price = agreed()) {
        if (price !== null) return price;
        // All sources are asked at the same time, so at the start the others are a moment away.
        await once(noted, 'noted', { signal }).catch((error: unknown) => {
          throw new RetryableError('RATE_USDT_UNKNOWN', 'no two sources agree on what a USDT is worth in USD', {
            cause: error,
          });
        });
      }
    },
  };
}
