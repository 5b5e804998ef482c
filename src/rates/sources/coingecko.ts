import { MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import type { PricedSymbol } from '../../config/index.ts';
import type { Decimal } from '../decimal.ts';
import { type Answer, jsonOf, textOf } from '../http/answer.ts';
import { memberOf } from '../http/json.ts';
import { createSourceClient, type SourceDeps } from '../http/source-client.ts';
import { RATES_MAX_AGE_MS } from '../rate-table.ts';
import type { Quotes, RateSource } from '../source.ts';
import { quotesFrom, ratio, readPrice } from './price.ts';

const COINGECKO_TIMEOUT_MS = 4_000;
/** 16 coins in 4 currencies are about 3 kB. */
const COINGECKO_ANSWER_BYTES = 64_000;
/** Without a key the limit is per address, shared and unpublished; it allows a few requests a minute. */
const COINGECKO_INTERVAL_MS = 2 * MINUTE_MS;

/** CoinGecko's averages over many exchanges: all coins in one request, currencies by what a bitcoin costs in them. */
export function createCoinGeckoSource(deps: SourceDeps, baseUrl: string): RateSource {
  const limits = { source: NAME, timeoutMs: COINGECKO_TIMEOUT_MS, maxBytes: COINGECKO_ANSWER_BYTES };
  const client = createSourceClient(deps, limits);
  return {
    name: NAME,
    ages: true,
    refreshEveryMs: COINGECKO_INTERVAL_MS,
    fetch: (signal) =>
      client.round(signal, async (get) =>
        readCoinGeckoPrices(await get(`${baseUrl}/api/v3/simple/price?${QUERY}`), deps.clock.now()),
      ),
  };
}

/**
 * Reads an answer of `/simple/price`, see https://docs.coingecko.com/v3.0.1/reference/simple-price. Prices are JSON
 * numbers, small ones like 9.1e-06. A coin whose price CoinGecko itself has not renewed for 5 minutes has none.
 */
export function readCoinGeckoPrices(answer: Answer, now: UnixMs): Quotes {
  textOf(answer);
  const json = jsonOf(answer);

  function priceIn(currency: string, symbol: PricedSymbol): Decimal | null {
    const id = IDS.get(symbol);
    const coin = id === undefined ? undefined : memberOf(json, id);
    const updatedAt = memberOf(coin, 'last_updated_at');
    if (typeof updatedAt !== 'string' || !UNIX_SECONDS.test(updatedAt)) return null;
    return now - Number(updatedAt) * 1_000 > RATES_MAX_AGE_MS ? null : readPrice(memberOf(coin, currency));
  }

  return quotesFrom(NAME, (symbol) => {
    if (IDS.has(symbol)) return priceIn('usd', symbol);
    const [usd, other] = [priceIn('usd', 'BTC'), priceIn(symbol.toLowerCase(), 'BTC')];
    return usd === null || other === null ? null : ratio(usd, other);
  });
}

// Helpers

const NAME = 'coingecko';

const UNIX_SECONDS = /^\d{9,11}$/;

/** CoinGecko's own ids. Symbols are not unique there: anybody can list another PEPE. */
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
