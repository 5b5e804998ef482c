import { HOUR_MS, type UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { PricedSymbol } from '../../platform/config/index.ts';
import type { Decimal } from '../decimal.ts';

export type Prices = ReadonlyMap<PricedSymbol, Decimal>;

/** Requests the prices of these symbols or of all pairs; null when one of them is not listed. */
export type AskForPrices = (symbols: readonly PricedSymbol[] | 'all') => Promise<Prices | null>;

/** How long an unlisted pair is left out of requests before it is tried again. */
const RETRY_ALL_MS = HOUR_MS;

export interface ListedPairs {
  /** The prices of all listed symbols. Null when even the request for all was rejected. */
  prices(ask: AskForPrices): Promise<Prices | null>;
}

export interface ListedPairsDeps {
  readonly symbols: readonly PricedSymbol[];
  readonly clock: Clock;
}

/**
 * For exchanges that reject a whole request if one pair is not listed, so that a delisted coin does
 * not affect the others. After a rejection it requests all pairs once (a large response), and from
 * then on only those that were listed.
 */
export function createListedPairs({ symbols, clock }: ListedPairsDeps): ListedPairs {
  let listed = symbols;
  let retryAllAt: UnixMs = 0;

  return {
    async prices(ask) {
      if (clock.now() >= retryAllAt) listed = symbols;
      const prices = listed.length === 0 ? null : await ask(listed);
      if (prices !== null) return prices;
      const all = await ask('all');
      listed = symbols.filter((symbol) => all?.has(symbol) === true);
      retryAllAt = clock.now() + RETRY_ALL_MS;
      return all;
    },
  };
}
