import type { PricedSymbol } from '../../platform/config/index.ts';
import type { Decimal } from '../decimal.ts';
import { rateLimited, unreadable } from '../http/failures.ts';
import { elementsOf, memberOf } from '../http/json.ts';
import { jsonOf, type SourceResponse, textOf } from '../http/response.ts';
import { createSourceClient, type SourceDeps } from '../http/source-client.ts';
import { POLL_INTERVAL_MS, type RateSource } from '../source.ts';
import { createListedPairs, type Prices } from './listed-pairs.ts';
import { middleOf, quotesFrom } from './price.ts';

const KRAKEN_TIMEOUT_MS = 4_500;
/** All pairs together are about 500 kB. */
const KRAKEN_RESPONSE_BYTES = 4_000_000;

/** Kraken's order books against USD, also for USDT and USDC; no conversion through a stablecoin. */
export function createKrakenSource(deps: SourceDeps, baseUrl: string): RateSource {
  const client = createSourceClient(deps, {
    source: NAME,
    timeoutMs: KRAKEN_TIMEOUT_MS,
    maxBytes: KRAKEN_RESPONSE_BYTES,
  });
  const pairs = createListedPairs({ symbols: [...PAIRS.keys()], clock: deps.clock });
  return {
    name: NAME,
    kind: 'market',
    pollEveryMs: POLL_INTERVAL_MS,
    fetch: (signal) =>
      client.round(signal, async (get) => {
        const prices = await pairs.prices(async (symbols) =>
          readKrakenTicker(await get(`${baseUrl}/0/public/Ticker${symbols === 'all' ? '' : queryFor(symbols)}`)),
        );
        if (prices === null) throw unreadable(NAME, 'an unknown pair error for its own pairs');
        return quotesFrom(NAME, (symbol) => prices.get(symbol) ?? null);
      }),
  };
}

/**
 * Parses a response of `/0/public/Ticker`, see
 * https://docs.kraken.com/api/docs/rest-api/get-ticker-information. Errors have status 200. If one
 * requested pair is unknown, the response has no prices at all, and this returns null.
 */
export function readKrakenTicker(response: SourceResponse): Prices | null {
  textOf(response);
  const json = jsonOf(response);
  const errors = elementsOf(memberOf(json, 'error')).map(String);
  if (errors.some((error) => error.startsWith('EQuery:Unknown asset pair'))) return null;
  if (errors.some((error) => /rate limit|too many requests|throttled/i.test(error))) throw rateLimited(NAME, null);
  if (errors.some((error) => error.startsWith('E'))) throw unreadable(NAME, 'an error');
  const result = memberOf(json, 'result');
  const prices = new Map<PricedSymbol, Decimal>();
  for (const [symbol, names] of PAIRS) {
    const ticker = names.map((name) => memberOf(result, name)).find((found) => found !== undefined);
    const usd = middleOf(memberOf(memberOf(ticker, 'b'), '0'), memberOf(memberOf(ticker, 'a'), '0'));
    if (usd !== null) prices.set(symbol, usd);
  }
  return prices;
}

// Helpers

const NAME = 'kraken';

/**
 * The pair name for requests, then the one in responses if it differs. Kraken prefixes old coins
 * with X and old currencies with Z, but not in all pairs: XXBTZUSD, XDGUSD, USDTZUSD.
 */
const PAIRS: ReadonlyMap<PricedSymbol, readonly string[]> = new Map<PricedSymbol, readonly string[]>([
  ['BTC', ['XBTUSD', 'XXBTZUSD']],
  ['LTC', ['LTCUSD', 'XLTCZUSD']],
  ['DOGE', ['XDGUSD', 'DOGEUSD']],
  ['DASH', ['DASHUSD']],
  ['ETH', ['ETHUSD', 'XETHZUSD']],
  ['USDT', ['USDTUSD', 'USDTZUSD']],
  ['USDC', ['USDCUSD']],
  ['EURC', ['EURCUSD']],
  ['DAI', ['DAIUSD']],
  ['WBTC', ['WBTCUSD']],
  ['SHIB', ['SHIBUSD']],
  ['PEPE', ['PEPEUSD']],
  ['LINK', ['LINKUSD']],
  ['UNI', ['UNIUSD']],
  ['AAVE', ['AAVEUSD']],
  ['MKR', ['MKRUSD']],
  ['EUR', ['EURUSD', 'ZEURZUSD']],
  ['GBP', ['GBPUSD', 'ZGBPZUSD']],
]);

function queryFor(symbols: readonly PricedSymbol[]): string {
  return `?pair=${symbols.flatMap((symbol) => PAIRS.get(symbol)?.[0] ?? []).join(',')}`;
}
