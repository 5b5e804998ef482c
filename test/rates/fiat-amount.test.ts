import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_FIAT_AMOUNT, meetsMinimumUsd, parseFiatAmount } from '../../src/rates/index.ts';
import { assertProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { amountFiat, difference, fraction, price, times } from './arbitraries.ts';

const reasonOf = (value: number) => {
  const result = parseFiatAmount(value);
  return result.ok ? result.amountFiat : result.reason;
};

describe('parseFiatAmount', () => {
  it('parses every amount with up to 2 decimals to the same text', () => {
    assertProperty(
      fc.property(amountFiat, (text) => {
        const canonical = text.replace(/\.?0+$/, '');
        expect(reasonOf(Number(text))).toBe(canonical);
        expect(reasonOf(JSON.parse(text.replace(/^0+(?=\d)/, '')))).toBe(canonical);
      }),
      { numRuns: level.runs(2_000) },
    );
  });

  it('rule 21: tolerates floating-point noise in sums of up to a hundred prices', () => {
    const prices = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 100 });
    assertProperty(
      fc.property(prices, (cents) => {
        const sum = cents.reduce((total, price) => total + price / 100, 0);
        const exact = cents.reduce((total, price) => total + price, 0);
        expect(reasonOf(sum)).toBe(String(exact / 100));
      }),
    );
    expect(reasonOf(59.970000000000006)).toBe('59.97');
    expect(reasonOf(0.1 + 0.2)).toBe('0.3');
  });

  it('rule 21: rejects a real third decimal, however large the amount', () => {
    const cents = fc.integer({ min: 0, max: 1_000_000_000_000 });
    assertProperty(
      fc.property(cents, fc.integer({ min: 1, max: 9 }), (whole, mill) => {
        fc.pre(whole < 1e11);
        expect(reasonOf(Number(`${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}${mill}`))).toBe(
          'too_many_decimals',
        );
      }),
    );
    expect(reasonOf(123456789.127)).toBe('too_many_decimals');
    expect(reasonOf(0.001)).toBe('too_many_decimals');
    expect(reasonOf(Number.MIN_VALUE)).toBe('too_many_decimals');
    expect(reasonOf(1e-9)).toBe('too_many_decimals');
  });

  it('rejects invalid amounts, each with a reason', () => {
    expect(reasonOf(Number.NaN)).toBe('not_a_number');
    expect(reasonOf(JSON.parse('1e400'))).toBe('not_a_number');
    expect(reasonOf(Number.NEGATIVE_INFINITY)).toBe('not_a_number');
    expect(reasonOf(0)).toBe('not_positive');
    expect(reasonOf(-0)).toBe('not_positive');
    expect(reasonOf(-1)).toBe('not_positive');
    expect(reasonOf(MAX_FIAT_AMOUNT)).toBe('1000000000000');
    expect(reasonOf(MAX_FIAT_AMOUNT + 0.01)).toBe('too_large');
    expect(reasonOf(Number.MAX_VALUE)).toBe('too_large');
  });

  it('never throws and never accepts anything else', () => {
    assertProperty(
      fc.property(fc.double(), (value) => {
        const result = parseFiatAmount(value);
        if (result.ok) expect(result.amountFiat).toMatch(/^(0|[1-9]\d{0,12})(\.\d{0,1}[1-9])?$/);
        else expect(result.message).toMatch(/^The amount m/);
      }),
    );
  });
});

describe('meetsMinimumUsd', () => {
  it('rule 24: returns true from exactly 1.00 USD upwards', () => {
    assertProperty(
      fc.property(amountFiat, price, (amount, rate) => {
        const usd = times(fraction(amount), fraction(rate));
        expect(meetsMinimumUsd(amount, rate)).toBe(difference(usd, fraction('1')) >= 0n);
      }),
    );
    expect(meetsMinimumUsd('1', '1')).toBe(true);
    expect(meetsMinimumUsd('0.99', '1')).toBe(false);
    // Rounded to cents, this would pass.
    expect(meetsMinimumUsd('0.92', '1.0869')).toBe(false);
    expect(meetsMinimumUsd('0.8', '1.25')).toBe(true);
  });
});
