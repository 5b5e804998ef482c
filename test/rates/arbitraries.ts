import fc from 'fast-check';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES } from '../../machines/index.ts';

export const symbol = fc.constantFrom(...CRYPTO_SYMBOLS);
const currency = fc.constantFrom(...FIAT_CURRENCIES);

/**
 * A fiat amount from 0.01 to the maximum, small ones as likely as large ones, as a plain decimal.
 */
export const amountFiat = fc
  .integer({ min: 1, max: 15 })
  .chain((digits) => fc.bigInt({ min: 1n, max: 10n ** BigInt(digits) - 1n }))
  .map((cents) => decimal(cents > 10n ** 14n ? 10n ** 14n : cents, 2));

/** A price from 10^-12 to 10^9 USD with any number of digits, as a plain decimal. */
export const price = fc
  .tuple(fc.integer({ min: 1, max: 18 }), fc.integer({ min: 0, max: 18 }))
  .chain(([digits, places]) =>
    fc.bigInt({ min: 1n, max: 10n ** BigInt(digits) - 1n }).map((coefficient) => ({ coefficient, places })),
  )
  .filter(({ coefficient, places }) => {
    const value = Number(coefficient) / 10 ** places;
    return value >= 1e-12 && value <= 1e9;
  })
  .map(({ coefficient, places }) => decimal(coefficient, places));

/** USD per unit of the currency: 1 for USD. */
export const currencyWithRate = currency.chain((code) =>
  fc.record({ currency: fc.constant(code), fiatUsd: code === 'USD' ? fc.constant('1') : price }),
);

/** `coefficient / 10^places` written out, trailing zeros included. */
export function decimal(coefficient: bigint, places: number): string {
  const digits = coefficient.toString().padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** A fraction of integers: an independent, slower implementation of exact numbers for the tests. */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

export function fraction(text: string): Fraction {
  const [whole = '', places = ''] = text.split('.');
  return { over: BigInt(whole + places), under: 10n ** BigInt(places.length) };
}

export function times(a: Fraction, b: Fraction): Fraction {
  return { over: a.over * b.over, under: a.under * b.under };
}

/** Negative, zero or positive, like a − b. */
export function difference(a: Fraction, b: Fraction): bigint {
  return a.over * b.under - b.over * a.under;
}
