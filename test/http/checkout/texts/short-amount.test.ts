import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCoins, parseCoins } from '../../../../machines/index.ts';
import { isFromRounding, type Rounding, shortAmount } from '../../../../src/http/checkout/languages/formats.ts';
import { assertProperty } from '../../../support/run/fast-check.ts';

const MAX_DECIMALS = 8;
const DECIMALS = 36;

/** Amounts of assets with any decimals, small ones as often as large ones. */
const amount = fc
  .tuple(fc.nat({ max: DECIMALS }), fc.nat({ max: 40 }))
  .chain(([decimals, digits]) =>
    fc.bigInt({ min: 0n, max: 10n ** BigInt(digits) }).map((baseUnits) => formatCoins(baseUnits, decimals)),
  );

const unitsOf = (text: string) => parseCoins(text, DECIMALS);
const decimalsOf = (text: string) => text.split('.')[1] ?? '';

describe('a shortened amount', () => {
  test('is never less than requested, never more than received, and as close as possible', () => {
    assertProperty(
      fc.property(amount, fc.constantFrom<Rounding>('up', 'down'), (exact, rounding) => {
        const shown = shortAmount(exact, rounding);
        const extra = rounding === 'up' ? unitsOf(shown) - unitsOf(exact) : unitsOf(exact) - unitsOf(shown);
        expect(extra).toBeGreaterThanOrEqual(0n);
        expect(extra).toBeLessThan(10n ** BigInt(DECIMALS - decimalsOf(shown).length));
        if (decimalsOf(exact).length <= MAX_DECIMALS) expect(shown).toBe(exact);
      }),
    );
  });

  test('has at most 8 decimals after its first digit, and is zero only for zero', () => {
    assertProperty(
      fc.property(amount, fc.constantFrom<Rounding>('up', 'down'), (exact, rounding) => {
        const shown = shortAmount(exact, rounding);
        const [whole, decimals] = [shown.split('.')[0], decimalsOf(shown)];
        const counted = whole === '0' ? decimals.replace(/^0+/, '') : decimals;
        expect(counted.length).toBeLessThanOrEqual(MAX_DECIMALS);
        expect(shown === '0').toBe(exact === '0');
      }),
    );
  });

  test('implies a known excess when it is paid, and no other', () => {
    assertProperty(
      fc.property(amount, (exact) => {
        const excess = formatCoins(unitsOf(shortAmount(exact, 'up')) - unitsOf(exact), DECIMALS);
        expect(isFromRounding(excess)).toBe(true);
        expect(isFromRounding(exact)).toBe(unitsOf(exact) < unitsOf('0.00000001'));
      }),
    );
  });

  test.each([
    ['4.123456780000000001', '4.12345679', '4.12345678'],
    ['1.999999999', '2', '1.99999999'],
    ['0.000000000000000001', '0.000000000000000001', '0.000000000000000001'],
    ['0.0000123456789', '0.000012345679', '0.000012345678'],
    ['0.33540373', '0.33540373', '0.33540373'],
    ['1e-9', '1e-9', '1e-9'],
  ])('%s is requested as %s and received as %s', (exact, requested, arrived) => {
    expect([shortAmount(exact, 'up'), shortAmount(exact, 'down')]).toEqual([requested, arrived]);
  });
});
