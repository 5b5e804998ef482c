import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASSETS, CRYPTO_SYMBOLS, parseCoins } from '../../machines/index.ts';
import { MAX_QUOTE_UNITS, type QuotedAmounts, type QuoteRequest, quote } from '../../src/rates/index.ts';
import { assertProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { amountFiat, currencyWithRate, decimal, difference, fraction, price, symbol, times } from './arbitraries.ts';

const request = fc
  .tuple(amountFiat, currencyWithRate, symbol, price)
  .map(([amount, fiat, coin, cryptoUsd]) => ({ amountFiat: amount, ...fiat, symbol: coin, cryptoUsd }));

/** The quote, or null when the amount is rejected as too large. */
function tryQuote(requested: QuoteRequest): QuotedAmounts | null {
  try {
    return quote(requested);
  } catch (error) {
    expect(error).toMatchObject({ name: 'TerminalError', code: 'INVALID_AMOUNT' });
    return null;
  }
}

describe('a quote', () => {
  it('rule 20: never charges less than the amount is worth, nor a whole quote unit more', () => {
    assertProperty(
      fc.property(request, (requested) => {
        const quoted = tryQuote(requested);
        fc.pre(quoted !== null);
        const usd = times(fraction(requested.amountFiat), fraction(requested.fiatUsd));
        const { quoteDecimals } = ASSETS[requested.symbol];
        const units = parseCoins(quoted.amountCrypto, quoteDecimals);
        const worth = (count: bigint) => times(fraction(decimal(count, quoteDecimals)), fraction(requested.cryptoUsd));
        expect(difference(worth(units), usd) >= 0n).toBe(true);
        expect(difference(worth(units - 1n), usd) < 0n).toBe(true);
      }),
      { numRuns: level.runs(2_000) },
    );
  });

  it('is rejected exactly when it would need more digits than a JSON number carries', () => {
    assertProperty(
      fc.property(request, (requested) => {
        const usd = times(fraction(requested.amountFiat), fraction(requested.fiatUsd));
        const limit = times(
          fraction(decimal(MAX_QUOTE_UNITS, ASSETS[requested.symbol].quoteDecimals)),
          fraction(requested.cryptoUsd),
        );
        expect(tryQuote(requested) === null).toBe(difference(usd, limit) > 0n);
      }),
    );
  });

  it('rule 20: is exact as a JSON number, for every coin up to the largest amount', () => {
    const units = fc.oneof(
      fc.bigInt({ min: 1n, max: MAX_QUOTE_UNITS }),
      fc.bigInt({ min: 1n, max: 10_000n }),
      fc.bigInt({ min: MAX_QUOTE_UNITS - 10_000n, max: MAX_QUOTE_UNITS }),
    );
    assertProperty(
      fc.property(symbol, units, (coin, count) => {
        const { quoteDecimals } = ASSETS[coin];
        const text = decimal(count, quoteDecimals);
        const read: unknown = JSON.parse(JSON.stringify(Number(text)));
        expect(
          typeof read === 'number' && BigInt(Math.round(Number(read.toFixed(quoteDecimals).replace('.', '')))),
        ).toBe(count);
      }),
      { numRuns: level.runs(2_000) },
    );
  });

  it('states the same amount in coins and in base units', () => {
    assertProperty(
      fc.property(request, (requested) => {
        const quoted = tryQuote(requested);
        fc.pre(quoted !== null);
        expect(quoted.dueBaseUnits).toBe(parseCoins(quoted.amountCrypto, ASSETS[requested.symbol].decimals));
        expect(quoted.dueBaseUnits > 0n).toBe(true);
      }),
    );
  });

  it('rule 22: rounds USD half up to the nearest cent and writes no trailing zeros', () => {
    assertProperty(
      fc.property(request, (requested) => {
        const quoted = tryQuote(requested);
        fc.pre(quoted !== null);
        const usd = times(fraction(requested.amountFiat), fraction(requested.fiatUsd));
        const cents = parseCoins(quoted.amountUsd, 2);
        // −0.5 cent < exact − rounded... stated without fractions: 2·exact·100 lies in [2·cents −
        // 1, 2·cents + 1).
        const doubled = { over: usd.over * 200n, under: usd.under };
        expect(difference(doubled, { over: cents * 2n - 1n, under: 1n }) >= 0n).toBe(true);
        expect(difference(doubled, { over: cents * 2n + 1n, under: 1n }) < 0n).toBe(true);
        for (const text of [quoted.amountFiat, quoted.amountUsd, quoted.amountCrypto]) {
          expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
        }
        expect(difference(fraction(quoted.amountFiat), fraction(requested.amountFiat))).toBe(0n);
      }),
    );
  });

  it('never charges fewer coins for a larger amount', () => {
    assertProperty(
      fc.property(request, amountFiat, (requested, other) => {
        const [a, b] = [tryQuote(requested), tryQuote({ ...requested, amountFiat: other })];
        fc.pre(a !== null && b !== null);
        const isMore = difference(fraction(requested.amountFiat), fraction(other)) >= 0n;
        expect(isMore ? a.dueBaseUnits >= b.dueBaseUnits : a.dueBaseUnits <= b.dueBaseUnits).toBe(true);
      }),
    );
  });

  it('equals the result of a pocket calculator', () => {
    const usd = { currency: 'USD', fiatUsd: '1' } as const;
    expect(quote({ ...usd, amountFiat: '25.50', symbol: 'LTC', cryptoUsd: '80.5' })).toEqual({
      amountFiat: '25.5',
      amountUsd: '25.5',
      amountCrypto: '0.31677019', // 0.316770186…
      dueBaseUnits: 31_677_019n,
    });
    expect(quote({ amountFiat: '10', currency: 'EUR', fiatUsd: '1.08455', symbol: 'ETH', cryptoUsd: '3200' })).toEqual({
      amountFiat: '10',
      amountUsd: '10.85', // 10.8455
      amountCrypto: '0.00338922', // 0.00338921875
      dueBaseUnits: 3_389_220_000_000_000n,
    });
    expect(quote({ ...usd, amountFiat: '100', symbol: 'USDT', cryptoUsd: '1' }).amountCrypto).toBe('100');
    expect(quote({ ...usd, amountFiat: '0.01', symbol: 'BTC', cryptoUsd: '65000' }).amountCrypto).toBe('0.00000016');
  });

  it('rejects anything but a positive decimal, for every coin', () => {
    for (const coin of CRYPTO_SYMBOLS) {
      const good = { amountFiat: '5', currency: 'EUR', fiatUsd: '1.1', symbol: coin, cryptoUsd: '2' } as const;
      for (const wrong of ['', '0', '0.00', '-1', '1e3', 'NaN', '1,5', ' 1', '.5', '1.']) {
        expect(() => quote({ ...good, amountFiat: wrong })).toThrow(RangeError);
        expect(() => quote({ ...good, fiatUsd: wrong })).toThrow(RangeError);
        expect(() => quote({ ...good, cryptoUsd: wrong })).toThrow(RangeError);
      }
      expect(() => quote({ ...good, amountFiat: '5.001' })).toThrow(/at most 2 decimals/);
      expect(() => quote({ ...good, currency: 'USD' })).toThrow(/must be 1/);
    }
  });
});
