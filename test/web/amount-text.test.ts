import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountText } from '../../src/web/ui/values/amount-text.ts';
import { assertProperty } from '../support/run/fast-check.ts';

const digits = fc.string({ unit: fc.constantFrom('0', '1', '2', '9'), minLength: 1, maxLength: 40 });
const whole = digits.map((text) => text.replace(/^0+(?=\d)/, ''));

test('an amount keeps every digit and is grouped by thousands', () => {
  assertProperty(
    fc.property(fc.boolean(), whole, fc.option(digits), (isNegative, before, after) => {
      const value = `${isNegative ? '-' : ''}${before}${after === null ? '' : `.${after}`}`;
      const shown = amountText(value);
      expect(shown.replaceAll(',', '')).toBe(value);
      const groups = shown.replace('-', '').split('.')[0]?.split(',') ?? [];
      expect(groups.slice(1).every((group) => group.length === 3)).toBe(true);
      expect(groups[0]).toMatch(/^\d{1,3}$/);
      // Fiat has its usual decimals, and more where the value has more.
      expect(amountText(value, 'EUR').replaceAll(',', '')).toBe(
        `${value}${after === null ? '.00' : after.length === 1 ? '0' : ''}\u00a0EUR`,
      );
    }),
  );
});

test.each([
  ['1234567.5', 'EUR', '1,234,567.50\u00a0EUR'],
  ['0.00000001', 'BTC', '0.00000001\u00a0BTC'],
  ['1000', 'DOGE', '1,000\u00a0DOGE'],
  ['-999', undefined, '-999'],
  ['n/a', 'EUR', 'n/a\u00a0EUR'],
])('%s in %s is shown as %s', (value, currency, shown) => {
  expect(amountText(value, currency)).toBe(shown);
});
