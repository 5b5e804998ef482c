import { MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import type { PricedSymbol } from '../../platform/config/index.ts';
import type { Decimal } from '../decimal.ts';
import { memberOf } from '../http/json.ts';
import { jsonOf, type SourceResponse, textOf } from '../http/response.ts';
import { createSourceClient, type SourceDeps } from '../http/source-client.ts';
import { RATES_MAX_AGE_MS } from '../rate-table.ts';
import type { Quotes, RateSource } from '../source.ts';
import { quotesFrom, ratio, readPrice } from './price.ts';

const COINGECKO_TIMEOUT_MS = 4_000;
/** 16 coins in 4 currencies are about 3 kB. */
const COINGECKO_RESPONSE_BYTES = 64_000;
/** Without an API key the limit is per IP, shared and undocumented: a few requests a minute. */
const COINGECKO_INTERVAL_MS = 2 * MINUTE_MS;
/** Maximum age on receipt: an older price would expire before the next request. */
const RENEWED_WITHIN_MS = RATES_MAX_AGE_MS - COINGECKO_INTERVAL_MS - MINUTE_MS / 2;

/** CoinGecko's averages over many exchanges, in one request; currencies through BTC prices. */
export function createCoinGeckoSource(deps: SourceDeps, baseUrl: string): RateSource {
  const limits = { source: NAME, timeoutMs: COINGECKO_TIMEOUT_MS, maxBytes: COINGECKO_RESPONSE_BYTES };
  const client = createSourceClient(deps, limits);
  let oldestAt: UnixMs | null = null;
  return {
    name: NAME,
    kind: 'market',
    pollEveryMs: COINGECKO_INTERVAL_MS,
    async fetch(signal) {
      const response = await client.round(signal, async (get) =>
        readCoinGeckoPrices(await get(`${baseUrl}/api/v3/simple/price?${QUERY}`), deps.clock.now()),
      );
      oldestAt = response.oldestAt;
      return response.quotes;
    },
    publishedAt: () => oldestAt,
  };
}

export interface CoinGeckoPrices {
  readonly quotes: Quotes;
  /** When CoinGecko last updated the oldest of them. */
  readonly oldestAt: UnixMs;
}

/**
 * Parses a response of `/simple/price`, see
 * https://docs.coingecko.com/v3.0.1/reference/simple-price. Prices are JSON numbers, small ones
 * like 9.1e-06. Omits coins whose price CoinGecko has not updated recently, or whose timestamp is
 * in the future, because then its age is unknown.
 */
export function readCoinGeckoPrices(response: SourceResponse, now: UnixMs): CoinGeckoPrices {
  textOf(response);
  const json = jsonOf(response);
  let oldestAt = now;

  function priceIn(currency: string, symbol: PricedSymbol): Decimal | null {
    const id = IDS.get(symbol);
    const coin = id === undefined ? undefined : memberOf(json, id);
    const updatedAt = memberOf(coin, 'last_updated_at');
    if (typeof updatedAt !== 'string' || !UNIX_SECONDS.test(updatedAt)) return null;
    const ageMs = now - Number(updatedAt) * 1_000;
    if (ageMs < 0 || ageMs > RENEWED_WITHIN_MS) return null;
    oldestAt = Math.min(oldestAt, now - ageMs);
    return readPrice(memberOf(coin, currency));
  }

  const quotes = quotesFrom(NAME, (symbol) => {
    if (IDS.has(symbol)) return priceIn('usd', symbol);
    const [usd, other] = [priceIn('usd', 'BTC'), priceIn(symbol.toLowerCase(), 'BTC')];
    return usd === null || other === null ? null : ratio(usd, other);
  });
  return { quotes, oldestAt };
}

// Helpers

const NAME = 'coingecko';

const UNIX_SECONDS = /^\d{9,11}$/;

/** CoinGecko's coin ids. Symbols are not unique there: anyone can list another PEPE. */
const IDS: ReadonlyMap<PricedSymbol, string> = new Map<PricedSymbol, string>([
  ['BTC', 'bitcoin'],
  ['LTC', 'litecoin'],
  ['DOGE', 'dogecoin'],
  ['DASH', 'dash'],
  ['ETH', 'ethereum'],
  ['USDT', 'tether'],
  ['USDC', 'usd-coin'],
  ['EURC', 'euro-coin'],
  ['DAI', 'dai'],
  ['WBTC', 'wrapped-bitcoin'],
  ['SHIB', 'shiba-inu'],
  ['PEPE', 'pepe'],
  ['LINK', 'chainlink'],
  ['UNI', 'uniswap'],
  ['AAVE', 'aave'],
  ['MKR', 'maker'],
]);

const QUERY = new URLSearchParams({
  ids: [...IDS.values()].join(','),
  vs_currencies: 'usd,eur,gbp,pln',
  include_last_updated_at: 'true',
  precision: 'full',
}).toString();
