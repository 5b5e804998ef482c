import { EventEmitter, once } from 'node:events';
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
  usd(signal: AbortSignal): Promise<string>;
}

export interface TetherRateDeps {
  readonly monotonicMs?: () => number;
}

const WITNESSES_NEEDED = 2;

/** `monotonicMs` is a clock that never jumps: by it the prices of witnesses age. */
export function createTetherRate({ monotonicMs = () => performance.now() }: TetherRateDeps = {}): TetherRate {
  const notes = new Map<string, { readonly usd: string; readonly at: number }>();
  const noted = new EventEmitter();

  function agreed(): string | null {
    const oldest = monotonicMs() - RATES_MAX_AGE_MS;
    const young = [...notes].flatMap(([source, { usd, at }]) => (at < oldest ? [] : [{ source, usd }]));
    const price = agreedPrice(young);
    return price === null || price.sources.length < WITNESSES_NEEDED ? null : price.usd;
  }

  return {
    witness: (source) => ({
      ...source,
      async fetch(signal) {
        const quotes = await source.fetch(signal);
        if (quotes.USDT === undefined) notes.delete(source.name);
        else notes.set(source.name, { usd: quotes.USDT, at: monotonicMs() });
        noted.emit('noted');
        return quotes;
      },
    }),

    async usd(signal) {
      for (let usd = agreed(); ; usd = agreed()) {
        if (usd !== null) return usd;
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
