import type { UnixMs } from '../../../machines/index.ts';
import type { PricedSymbol } from '../../config/index.ts';
import type { Decimal } from '../decimal.ts';
import { type Answer, jsonOf, textOf } from '../http/answer.ts';
import { unreadable } from '../http/failures.ts';
import { elementsOf, memberOf } from '../http/json.ts';
import { createSourceClient, isLimited, type SourceDeps } from '../http/source-client.ts';
import { type RateSource, REFRESH_INTERVAL_MS } from '../source.ts';
import { createListedPairs, type Prices } from './listed-pairs.ts';
import { middleOf, product, quotesFrom, readPrice } from './price.ts';
import type { TetherRate } from './tether-rate.ts';

const BINANCE_TIMEOUT_MS = 4_500;
/** All pairs together are some 500 kB. */
const BINANCE_ANSWER_BYTES = 4_000_000;

export interface BinanceDeps extends SourceDeps {
  readonly tether: Pick<TetherRate, 'price'>;
}

/**
 * Binance's books against USDT, turned into USD by what others pay for USDT in dollars. It has no market for USDT in
 * dollars, so it quotes no USDT. `baseUrls` are tried in turn, beginning with the one that served last: api.binance.com
 * refuses some countries with 451.
 */
export function createBinanceSource(deps: BinanceDeps, baseUrls: readonly string[]): RateSource {
  const limits = { source: NAME, timeoutMs: BINANCE_TIMEOUT_MS, maxBytes: BINANCE_ANSWER_BYTES };
  const client = createSourceClient(deps, limits);
  const pairs = createListedPairs({ wanted: [...PAIRS.keys()], clock: deps.clock });
  let hosts = baseUrls;
  let oldestAt: UnixMs | null = null;

  /** Gives each host one chance. One that asks for a pause means this address, so the others are not bothered either. */
  async function fromAnyHost<T>(ask: (baseUrl: string) => Promise<T>): Promise<T> {
    let failure: unknown = unreadable(NAME, 'nothing: it has no address');
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
    refreshEveryMs: REFRESH_INTERVAL_MS,
    fetch: (signal) =>
      client.round(signal, async (get, roundSignal) => {
        const inTether = await fromAnyHost((baseUrl) =>
          pairs.prices(async (symbols) =>
            readBinanceBooks(
              await get(`${baseUrl}/api/v3/ticker/bookTicker${symbols === 'all' ? '' : queryFor(symbols)}`),
            ),
          ),
        );
        if (inTether === null) throw unreadable(NAME, 'that even its own pairs are unknown');
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
 * Reads an answer of `/api/v3/ticker/bookTicker` into prices in USDT, see
 * https://github.com/binance/binance-spot-api-docs/blob/master/rest-api.md#symbol-order-book-ticker. The book is asked
 * for and not the last price, which a pair keeps for ever after its market has closed. Null for "Invalid symbol".
 */
export function readBinanceBooks(answer: Answer): Prices | null {
  if (answer.status === 400 && memberOf(jsonOf(answer), 'code') === INVALID_SYMBOL) return null;
  textOf(answer);
  const books = new Map(elementsOf(jsonOf(answer)).map((book) => [memberOf(book, 'symbol'), book]));
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

/** Every one of them is priced in USDT. */
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
