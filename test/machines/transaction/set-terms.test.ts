import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ASSETS,
  CRYPTO_SYMBOLS,
  confirmationDeadlineMs,
  confirmationsRequired,
  HOUR_MS,
  MAX_WINDOW_MINUTES,
  MIN_WINDOW_MINUTES,
  MINUTE_MS,
  toleranceBaseUnits,
  windowMs,
} from '../../../machines/index.ts';
import { symbol } from '../../rates/arbitraries.ts';
import { assertProperty } from '../../support/run/fast-check.ts';

describe('the payment window', () => {
  it('rule 11: is 30 minutes, and 60 for stablecoins', () => {
    expect(windowMs('BTC', null)).toBe(30 * MINUTE_MS);
    expect(windowMs('WBTC', null)).toBe(30 * MINUTE_MS);
    for (const stable of ['USDT', 'USDC', 'EURC', 'DAI'] as const) expect(windowMs(stable, null)).toBe(60 * MINUTE_MS);
  });

  it("rule 11: is the merchant's setting, within 10 to 1440 minutes", () => {
    assertProperty(
      fc.property(symbol, fc.integer({ min: MIN_WINDOW_MINUTES, max: MAX_WINDOW_MINUTES }), (coin, minutes) => {
        expect(windowMs(coin, minutes)).toBe(minutes * MINUTE_MS);
      }),
    );
    for (const wrong of [0, 9, 1441, 10.5, Number.NaN]) expect(() => windowMs('BTC', wrong)).toThrow(/10 to 1440/);
  });
});

describe('confirmations', () => {
  it('rule 16: increase at 1,000 USD and above 10,000 USD', () => {
    const amounts = ['999.99', '1000', '1000.00', '10000', '10000.01'];
    const required = new Map([
      ['bitcoin', [1, 2, 2, 2, 6]],
      ['litecoin', [3, 6, 6, 6, 12]],
      ['dogecoin', [6, 20, 20, 20, 40]],
      ['dash', [2, 6, 6, 6, 10]],
      ['ethereum', [12, 32, 32, 32, 64]],
    ]);
    for (const coin of CRYPTO_SYMBOLS) {
      const confirmations = amounts.map((usd) => confirmationsRequired(coin, usd));
      expect([coin, confirmations]).toEqual([coin, required.get(ASSETS[coin].chain)]);
    }
  });

  it('rule 17: can be raised by the merchant and never lowered', () => {
    assertProperty(
      fc.property(symbol, fc.nat({ max: 20_000 }), fc.integer({ min: 1, max: 72 }), (coin, usd, minimum) => {
        const plain = confirmationsRequired(coin, String(usd));
        expect(confirmationsRequired(coin, String(usd), minimum)).toBe(Math.max(plain, minimum));
      }),
    );
    // Blocks per 12 hours.
    const most = { BTC: 72, LTC: 288, DOGE: 720, DASH: 288, ETH: 3_600 } as const;
    for (const coin of ['BTC', 'LTC', 'DOGE', 'DASH', 'ETH'] as const) {
      expect(confirmationsRequired(coin, '5', 1_000_000)).toBe(most[coin]);
    }
    for (const wrong of [0, -1, 1.5]) expect(() => confirmationsRequired('BTC', '5', wrong)).toThrow(RangeError);
  });

  it('rule 15: must arrive within 24 hours on coins like Bitcoin and 6 hours on Ethereum', () => {
    for (const coin of CRYPTO_SYMBOLS) {
      expect(confirmationDeadlineMs(coin)).toBe((ASSETS[coin].chain === 'ethereum' ? 6 : 24) * HOUR_MS);
    }
  });
});

describe('the tolerance', () => {
  it('rule 23: is at most the configured share of the amount due, and less than the amount', () => {
    assertProperty(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.integer({ min: 0, max: 500 }), (due, basisPoints) => {
        const tolerance = toleranceBaseUnits(due, basisPoints);
        expect(tolerance * 10_000n <= due * BigInt(basisPoints)).toBe(true);
        expect((tolerance + 1n) * 10_000n > due * BigInt(basisPoints)).toBe(true);
        expect(tolerance < due).toBe(true);
      }),
    );
    expect(toleranceBaseUnits(31_677_019n, 50)).toBe(158_385n);
  });

  it('rule 23: is at most 5 %', () => {
    for (const wrong of [-1, 501, 0.5, Number.NaN]) expect(() => toleranceBaseUnits(1n, wrong)).toThrow(/0 to 500/);
  });
});
