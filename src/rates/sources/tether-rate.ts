import { EventEmitter, once } from 'node:events';
import type { UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { RetryableError } from '../../platform/errors.ts';
import { medianPrice } from '../median-price.ts';
import { RATES_MAX_AGE_MS } from '../rate-table.ts';
import type { RateSource } from '../source.ts';

/**
 * The USD price of USDT from the sources with a USDT/USD market. When USDT falls to 0.95, as it
 * once did, a coin costs 5 % more USDT; treating USDT as dollars would charge the customer 5 % too
 * few coins.
 */
export interface TetherRate {
  /** Wraps `source` so that its USDT price is recorded on each fetch. */
  witness(source: RateSource): RateSource;
  /**
   * USD per USDT, once two recorded sources agree; a single one could spread its error to Binance
   * and outvote the rest. Waits for them until `signal` aborts, then throws a `RetryableError`
   * RATE_USDT_UNKNOWN.
   */
  price(signal: AbortSignal): Promise<TetherPrice>;
}

export interface TetherPrice {
  readonly usd: string;
  /** Time of the oldest price in it, which is also the age of anything computed from it. */
  readonly pricedAt: UnixMs;
}

export interface TetherRateDeps {
  readonly clock: Clock;
  readonly monotonicMs?: () => number;
}

const WITNESSES_NEEDED = 2;

/** `monotonicMs` is a monotonic clock for the age of recorded prices. */
export function createTetherRate({ clock, monotonicMs = () => performance.now() }: TetherRateDeps): TetherRate {
  const notes = new Map<string, { readonly usd: string; readonly at: number }>();
  const noted = new EventEmitter();

  function medianOfYoung(): TetherPrice | null {
    const now = monotonicMs();
    const young = [...notes].flatMap(([source, { usd, at }]) =>
      now - at > RATES_MAX_AGE_MS ? [] : [{ source, usd, ageMs: now - at }],
    );
    const price = medianPrice(young);
    if (price === null || price.sources.length < WITNESSES_NEEDED) return null;
    const ages = young.filter(({ source }) => price.sources.includes(source)).map(({ ageMs }) => ageMs);
    return { usd: price.usd, pricedAt: clock.now() - Math.max(...ages) };
  }

  /** Age of the source's last prices at the time they were received, in ms. */
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
      for (let price = medianOfYoung(); ; price = medianOfYoung()) {
        if (price !== null) return price;
        // Sources are polled in parallel, so at startup the other prices arrive shortly.
        await once(noted, 'noted', { signal }).catch((error: unknown) => {
          throw new RetryableError('RATE_USDT_UNKNOWN', 'no two sources agree on the USD price of USDT', {
            cause: error,
          });
        });
      }
    },
  };
}
