import { HOUR_MS, type UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../clock.ts';
import type { PricedSymbol } from '../../config/index.ts';
import type { Decimal } from '../decimal.ts';

export type Prices = ReadonlyMap<PricedSymbol, Decimal>;

/** Asks for the prices of these symbols, or of all there are; null when one of those asked for is not listed. */
export type AskForPrices = (symbols: readonly PricedSymbol[] | 'all') => Promise<Prices | null>;

/** How long a pair that has gone is left out of requests before it is asked for again. */
const LOOK_AGAIN_MS = HOUR_MS;

export interface ListedPairs {
  /** The prices of all wanted symbols that are listed. Null when even a request for everything was refused. */
  prices(ask: AskForPrices): Promise<Prices | null>;
}

export interface ListedPairsDeps {
  readonly wanted: readonly PricedSymbol[];
  readonly clock: Clock;
}

/**
 * Asks an exchange that refuses a whole request for one pair it does not list (any more), so that a delisted coin takes
 * no other with it. After a refusal everything is asked for once, which is long, and from then on only what was there.
 */
export function createListedPairs({ wanted, clock }: ListedPairsDeps): ListedPairs {
  let listed = wanted;
  let lookAgainAt: UnixMs = 0;

  return {
    async prices(ask) {
      if (clock.now() >= lookAgainAt) listed = wanted;
      const prices = listed.length === 0 ? null : await ask(listed);
      if (prices !== null) return prices;
      const all = await ask('all');
      listed = wanted.filter((symbol) => all?.has(symbol) === true);
      lookAgainAt = clock.now() + LOOK_AGAIN_MS;
      return all;
    },
  };
}
