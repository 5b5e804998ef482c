import type { UnixMs } from '../../../machines/index.ts';
import type { PricedSymbol } from '../../platform/config/index.ts';
import type { Decimal } from '../decimal.ts';
import { unreadable } from '../http/failures.ts';
import { elementsOf, memberOf } from '../http/json.ts';
import { jsonOf, type SourceResponse, textOf } from '../http/response.ts';
import { createSourceClient, isLimited, type SourceDeps } from '../http/source-client.ts';
import { POLL_INTERVAL_MS, type RateSource } from '../source.ts';
import { createListedPairs, type Prices } from './listed-pairs.ts';
import { middleOf, product, quotesFrom, readPrice } from './price.ts';
import type { TetherRate } from './tether-rate.ts';

const BINANCE_TIMEOUT_MS = 4_500;
/** All pairs together are about 500 kB. */
const BINANCE_RESPONSE_BYTES = 4_000_000;

export interface BinanceDeps extends SourceDeps {
  readonly tether: Pick<TetherRate, 'price'>;
}

/**
 * Binance's order books against USDT, converted to USD with the USDT price of other sources.
 * Binance has no USDT/USD market, so it does not quote USDT. `baseUrls` are tried in order,
 * starting with the one that last worked: api.binance.com blocks some countries with status 451.
 */
export function createBinanceSource(deps: BinanceDeps, baseUrls: readonly string[]): RateSource {
  const limits = { source: NAME, timeoutMs: BINANCE_TIMEOUT_MS, maxBytes: BINANCE_RESPONSE_BYTES };
  const client = createSourceClient(deps, limits);
  const pairs = createListedPairs({ symbols: [...PAIRS.keys()], clock: deps.clock });
  let hosts = baseUrls;
  let oldestAt: UnixMs | null = null;

  /** Tries each host once. A rate limit applies to our IP address, so it ends the search. */
  async function fromAnyHost<T>(ask: (baseUrl: string) => Promise<T>): Promise<T> {
    let failure: unknown = unreadable(NAME, 'nothing: no base URL is configured');
    for (const host of hosts) {
      try {
        return await ask(host);
      } catch (error) {
        if (isLimited(error)) throw error;
        failure = error;
        hosts = [...hosts.filter((other) => other !== host), host];
      }
    }
    throw failure;
  }

  return {
    name: NAME,
    kind: 'market',
    pollEveryMs: POLL_INTERVAL_MS,
    fetch: (signal) =>
      client.round(signal, async (get, roundSignal) => {
        const inTether = await fromAnyHost((baseUrl) =>
          pairs.prices(async (symbols) =>
            readBinanceBooks(
              await get(`${baseUrl}/api/v3/ticker/bookTicker${symbols === 'all' ? '' : queryFor(symbols)}`),
            ),
          ),
        );
        if (inTether === null) throw unreadable(NAME, 'an unknown pair error for its own pairs');
        const tether = await deps.tether.price(roundSignal);
        const usdPerTether = readPrice(tether.usd);
        oldestAt = tether.pricedAt;
        return quotesFrom(NAME, (symbol) => {
          const price = inTether.get(symbol);
          return price === undefined || usdPerTether === null ? null : product(price, usdPerTether);
        });
      }),
    publishedAt: () => oldestAt,
  };
}

/**
 * Parses a response of `/api/v3/ticker/bookTicker` into prices in USDT; null for "Invalid symbol".
 * https://github.com/binance/binance-spot-api-docs/blob/master/rest-api.md#symbol-order-book-ticker
 * Uses the order book instead of the last price, which a pair keeps forever after its market has
 * closed.
 */
export function readBinanceBooks(response: SourceResponse): Prices | null {
  if (response.status === 400 && memberOf(jsonOf(response), 'code') === INVALID_SYMBOL) return null;
  textOf(response);
  const books = new Map(elementsOf(jsonOf(response)).map((book) => [memberOf(book, 'symbol'), book]));
  const prices = new Map<PricedSymbol, Decimal>();
  for (const [symbol, pair] of PAIRS) {
    const book = books.get(pair);
    const price = middleOf(memberOf(book, 'bidPrice'), memberOf(book, 'askPrice'));
    if (price !== null) prices.set(symbol, price);
  }
  return prices;
}

// Helpers

const NAME = 'binance';

const INVALID_SYMBOL = '-1121';

/** All pairs are priced in USDT. */
const PAIRS: ReadonlyMap<PricedSymbol, string> = new Map<PricedSymbol, string>([
  ['BTC', 'BTCUSDT'],
  ['LTC', 'LTCUSDT'],
  ['DOGE', 'DOGEUSDT'],
  ['DASH', 'DASHUSDT'],
  ['ETH', 'ETHUSDT'],
  ['USDC', 'USDCUSDT'],
  ['WBTC', 'WBTCUSDT'],
  ['SHIB', 'SHIBUSDT'],
  ['PEPE', 'PEPEUSDT'],
  ['LINK', 'LINKUSDT'],
  ['UNI', 'UNIUSDT'],
  ['AAVE', 'AAVEUSDT'],
  ['MKR', 'MKRUSDT'],
  ['EUR', 'EURUSDT'],
]);

function queryFor(symbols: readonly PricedSymbol[]): string {
  const pairs = symbols.flatMap((symbol) => PAIRS.get(symbol) ?? []);
  return `?symbols=${encodeURIComponent(JSON.stringify(pairs))}`;
}
