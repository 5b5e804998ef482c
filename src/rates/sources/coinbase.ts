import { unreadable } from '../http/failures.ts';
import { memberOf } from '../http/json.ts';
import { jsonOf, type SourceResponse, textOf } from '../http/response.ts';
import { createSourceClient, type SourceDeps } from '../http/source-client.ts';
import type { Quotes, RateSource } from '../source.ts';
import { POLL_INTERVAL_MS } from '../source.ts';
import { inverse, quotesFrom, readPrice } from './price.ts';

const COINBASE_TIMEOUT_MS = 4_000;
/** About 640 rates are about 20 kB. */
const COINBASE_RESPONSE_BYTES = 256_000;

/** Coinbase's exchange rates of USD: all coins and currencies in one request. */
export function createCoinbaseSource(deps: SourceDeps, baseUrl: string): RateSource {
  const limits = { source: NAME, timeoutMs: COINBASE_TIMEOUT_MS, maxBytes: COINBASE_RESPONSE_BYTES };
  const client = createSourceClient(deps, limits);
  return {
    name: NAME,
    kind: 'market',
    pollEveryMs: POLL_INTERVAL_MS,
    fetch: (signal) =>
      client.round(signal, async (get) => readCoinbaseRates(await get(`${baseUrl}/v2/exchange-rates?currency=USD`))),
  };
}

/**
 * Parses a response of `/v2/exchange-rates`: how many units of each symbol one USD buys. See
 * https://docs.cdp.coinbase.com/coinbase-app/track-apis/exchange-rates.
 */
export function readCoinbaseRates(response: SourceResponse): Quotes {
  textOf(response);
  const data = memberOf(jsonOf(response), 'data');
  // Rates of another base currency have the same shape.
  if (memberOf(data, 'currency') !== 'USD') throw unreadable(NAME, 'rates of a currency other than USD');
  const rates = memberOf(data, 'rates');
  return quotesFrom(NAME, (symbol) => {
    const unitsPerUsd = readPrice(memberOf(rates, symbol));
    return unitsPerUsd === null ? null : inverse(unitsPerUsd);
  });
}

// Helpers

const NAME = 'coinbase';
