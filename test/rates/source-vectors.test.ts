import { describe, expect, it } from 'vitest';
import type { SourceResponse } from '../../src/rates/http/response.ts';
import type { Quotes } from '../../src/rates/index.ts';
import { readBinanceBooks } from '../../src/rates/sources/binance.ts';
import { readCoinbaseRates } from '../../src/rates/sources/coinbase.ts';
import { readCoinGeckoPrices } from '../../src/rates/sources/coingecko.ts';
import { readEcbPublication } from '../../src/rates/sources/ecb.ts';
import { readKrakenTicker } from '../../src/rates/sources/kraken.ts';
import type { Prices } from '../../src/rates/sources/listed-pairs.ts';
import { quotesFrom } from '../../src/rates/sources/price.ts';
import { asRates, quotesOf, responseOf, responsesOf } from './vectors.ts';

/** `last_updated_at` of every CoinGecko answer, and a minute later. */
const COINGECKO_UPDATED_AT = 1_711_356_300_000;
const A_MINUTE_LATER = COINGECKO_UPDATED_AT + 60_000;

const READERS: Readonly<Record<string, (response: SourceResponse) => Quotes | 'unlisted'>> = {
  kraken: (response) => unlessUnlisted('kraken', readKrakenTicker(response)),
  coinbase: readCoinbaseRates,
  binance: (response) => unlessUnlisted('binance', readBinanceBooks(response)),
  coingecko: (response) => readCoinGeckoPrices(response, A_MINUTE_LATER).quotes,
  ecb: (response) => readEcbPublication(response).quotes,
};

describe.each(Object.entries(READERS))('answers of %s', (source, read) => {
  it.each(responsesOf(source).map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    const response = { source, status: vector.status, text: vector.body };
    const { quotes } = vector;
    if (quotes === null || isNothing(quotes)) {
      expect(() => read(response)).toThrow(expect.objectContaining({ name: 'RetryableError' }));
      return;
    }
    const found = read(response);
    expect(found === 'unlisted' ? found : asRates(found)).toEqual(quotes);
  });

  it.each([
    ['a page', '<!DOCTYPE html><html><body>Just a moment… 1</body></html>'],
    ['nothing', ''],
    ['null', 'null'],
    ['an empty object', '{}'],
    ['an empty list', '[]'],
    ['a text', '"65000"'],
    ['a number', '65000'],
    ['objects where lists should be', '{"result":{"XXBTZUSD":{"a":{},"b":5}},"data":[],"bitcoin":"65000"}'],
  ])('%s is a failure like any other', (_, text) => {
    expect(() => read({ source, status: 200, text })).toThrow(
      expect.objectContaining({ name: 'RetryableError', code: 'RATE_SOURCE_UNREADABLE' }),
    );
  });

  it('every truncated good answer is a failure', () => {
    const vector = responsesOf(source).findLast(
      ({ origin, quotes }) => origin !== 'documented' && typeof quotes === 'object' && quotes !== null,
    );
    if (vector === undefined) throw new Error(`${source} has no good answer`);
    const whole = vector.body.trimEnd();
    const end = source === 'ecb' ? whole.indexOf('</gesmes:Envelope>') : whole.length;
    for (let length = 0; length < end; length += 7) {
      expect(() => read({ source, status: 200, text: whole.slice(0, length) })).toThrow(
        expect.objectContaining({ name: 'RetryableError' }),
      );
    }
  });

  it.each([204, 301, 302, 304, 400, 403, 404, 451, 500, 502, 504])(
    'status %i is a failure whatever the body',
    (status) => {
      const [good] = responsesOf(source).filter(({ status, quotes }) => status === 200 && typeof quotes === 'object');
      expect(() => read({ source, status, text: good?.body ?? '' })).toThrow(
        expect.objectContaining({ name: 'RetryableError', code: 'RATE_SOURCE_REFUSED' }),
      );
    },
  );
});

describe('CoinGecko', () => {
  it('rule 33: has no price for a coin that CoinGecko has not updated for two and a half minutes, or dates in the future', () => {
    const vector = responseOf('coingecko', 'all coins');
    const response = { source: 'coingecko', status: 200, text: vector.body };
    expect(asRates(readCoinGeckoPrices(response, COINGECKO_UPDATED_AT + 150_000).quotes)).toEqual(vector.quotes);
    expect(() => readCoinGeckoPrices(response, COINGECKO_UPDATED_AT + 150_001)).toThrow(/no usable prices/);
    expect(asRates(readCoinGeckoPrices(response, COINGECKO_UPDATED_AT).quotes)).toEqual(vector.quotes);
    expect(() => readCoinGeckoPrices(response, COINGECKO_UPDATED_AT - 1)).toThrow(/no usable prices/);
    const oneIsOld = vector.body.replace(/("pepe":\{[^}]*"last_updated_at":)\d+/, '$11711270000');
    const { quotes, oldestAt } = readCoinGeckoPrices({ ...response, text: oneIsOld }, A_MINUTE_LATER);
    const { PEPE: _, ...others } = quotesOf(vector);
    expect(asRates(quotes)).toEqual(others);
    expect(oldestAt).toBe(COINGECKO_UPDATED_AT);
  });
});

describe('a Kraken answer', () => {
  it('is parsed under the old and the new name of a pair', () => {
    const vector = responseOf('kraken', 'all pairs');
    const renamed = vector.body
      .replace('XXBTZUSD', 'XBTUSD')
      .replace('XDGUSD', 'DOGEUSD')
      .replace('ZEURZUSD', 'EURUSD');
    expect(renamed).not.toBe(vector.body);
    const prices = readKrakenTicker({ source: 'kraken', status: 200, text: renamed });
    expect(asRates(quotesFrom('kraken', (symbol) => prices?.get(symbol) ?? null))).toEqual(vector.quotes);
  });
});

// Helpers

function unlessUnlisted(source: string, prices: Prices | null): Quotes | 'unlisted' {
  return prices === null ? 'unlisted' : quotesFrom(source, (symbol) => prices.get(symbol) ?? null);
}

function isNothing(quotes: Quotes | 'unlisted'): boolean {
  return quotes !== 'unlisted' && Object.keys(quotes).length === 0;
}
