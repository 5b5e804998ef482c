import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCoins, parseBaseUnits, parseCoins } from '../../../machines/index.ts';
import { assertProperty } from '../../support/run/fast-check.ts';

const MAX_BASE_UNITS = 10n ** 78n - 1n;
const amount = fc.bigInt({ min: 0n, max: MAX_BASE_UNITS });
const decimals = fc.integer({ min: 0, max: 18 });

describe('base units', () => {
  it('are parsed exactly, up to 78 digits', () => {
    assertProperty(
      fc.property(amount, (baseUnits) => {
        expect(parseBaseUnits(baseUnits.toString())).toBe(baseUnits);
      }),
    );
  });

  it.each(['', '-1', '+1', '01', '1.0', '1e3', '0x10', ' 1', '1 ', '1_000', 'NaN', '١', '1'.padEnd(79, '0')])(
    'are not parsed from %j, and the message names the field',
    (text) => {
      expect(() => parseBaseUnits(text, 'dueBaseUnits')).toThrow(RangeError);
      expect(() => parseBaseUnits(text, 'dueBaseUnits')).toThrow(/^dueBaseUnits must be/);
    },
  );
});

describe('whole coins', () => {
  it('survive formatting and parsing at every precision', () => {
    const writable = fc.bigInt({ min: 0n, max: 10n ** 60n - 1n });
    assertProperty(
      fc.property(writable, decimals, (baseUnits, places) => {
        expect(parseCoins(formatCoins(baseUnits, places), places)).toBe(baseUnits);
      }),
    );
  });

  it('are formatted plainly: no exponent, no trailing zeros, a digit before the point', () => {
    assertProperty(
      fc.property(amount, decimals, (baseUnits, places) => {
        expect(formatCoins(baseUnits, places)).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
      }),
    );
  });

  it.each([
    [0n, 8, '0'],
    [1n, 8, '0.00000001'],
    [150_000_000n, 8, '1.5'],
    [100_000_000n, 8, '1'],
    [1n, 18, '0.000000000000000001'],
    [42n, 0, '42'],
    [-150n, 2, '-1.5'],
  ])('%s with %s decimals are %s', (baseUnits, places, text) => {
    expect(formatCoins(baseUnits, places)).toBe(text);
  });

  it.each(['', '.', '.5', '5.', '-1', '+1', '1e-8', '1,5', '0x1', ' 1', '1.123456789', 'Infinity', '9'.repeat(61)])(
    'are not parsed from %j with 8 decimals',
    (text) => {
      expect(() => parseCoins(text, 8, 'amount_crypto')).toThrow(
        /^amount_crypto must be a decimal with at most 8 places/,
      );
    },
  );

  it('are never rounded: one digit too many is rejected even if it is zero', () => {
    expect(() => parseCoins('1.000000000', 8)).toThrow(RangeError);
    expect(parseCoins('1.00000000', 8)).toBe(100_000_000n);
  });
});
