import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fiatLeft, fiatWorth } from '../../src/payments/index.ts';
import { assertProperty } from '../support/run/fast-check.ts';

const due = fc.bigInt({ min: 1n, max: 10n ** 30n });
const cents = fc.bigInt({ min: 1n, max: 10n ** 14n });

test('the amount due is worth the requested amount, and zero is worth zero', () => {
  assertProperty(
    fc.property(due, cents, (dueBaseUnits, dueCents) => {
      const payment = { dueBaseUnits, amountFiat: decimalOf(dueCents) };
      expect(centsOf(fiatWorth(dueBaseUnits, payment))).toBe(dueCents);
      expect(fiatWorth(0n, payment)).toBe('0.00');
    }),
  );
});

test('any amount is worth its share to within half a cent, and its negative the negative', () => {
  assertProperty(
    fc.property(due, cents, due, (dueBaseUnits, dueCents, baseUnits) => {
      const payment = { dueBaseUnits, amountFiat: decimalOf(dueCents) };
      const worth = centsOf(fiatWorth(baseUnits, payment));
      const errorTimesDue = worth * dueBaseUnits - baseUnits * dueCents;
      expect((errorTimesDue < 0n ? -errorTimesDue : errorTimesDue) * 2n <= dueBaseUnits).toBe(true);
      expect(fiatWorth(-baseUnits, payment)).toBe(`-${fiatWorth(baseUnits, payment)}`);
    }),
  );
});

test('amounts are parsed with any number of decimals', () => {
  expect(fiatWorth(1n, { dueBaseUnits: 2n, amountFiat: '25' })).toBe('12.50');
  expect(fiatWorth(1n, { dueBaseUnits: 2n, amountFiat: '0.5' })).toBe('0.25');
  expect(fiatWorth(1n, { dueBaseUnits: 3n, amountFiat: '0.01' })).toBe('0.00');
  expect(fiatWorth(1n, { dueBaseUnits: 2n, amountFiat: '0.01' })).toBe('0.01');
});

test('due, paid and remaining add up as shown', () => {
  expect(fiatLeft('49.99', '25.00')).toBe('24.99');
  expect(fiatLeft('25', '0.00')).toBe('25.00');
  expect(fiatLeft('0.5', '0.45')).toBe('0.05');
  expect(fiatLeft('10.00', '12.00')).toBe('0.00');
});

// Helpers

/** The shortest text, as in quotes. */
function decimalOf(cents: bigint): string {
  return `${cents / 100n}.${(cents % 100n).toString().padStart(2, '0')}`.replace(/\.?0+$/, '');
}

function centsOf(text: string): bigint {
  return BigInt(text.replace('.', ''));
}
