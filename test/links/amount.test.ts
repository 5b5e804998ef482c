import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountOf, centsText, highestCents, readCents } from '../../src/links/amount.ts';
import { parseFiatAmount } from '../../src/rates/index.ts';
import { assertProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

const MAX_CENTS = 100_000_000_000_000n;

test('an amount is parsed exactly and reaches the payment unchanged', () => {
  const cents = fc.oneof(fc.bigInt({ min: 1n, max: MAX_CENTS }), fc.bigInt({ min: 1n, max: 10_000n }));
  assertProperty(
    fc.property(cents, (amount) => {
      const text = centsText(amount);
      expect(readCents(text)).toBe(amount);
      expect(parseFiatAmount(amountOf(amount))).toEqual({ ok: true, amountFiat: text });
    }),
    { numRuns: level.runs(5_000) },
  );
});

test('a customer may enter up to the maximum of the shop, and otherwise up to a million or the minimum', () => {
  const cents = fc.option(fc.bigInt({ min: 1n, max: MAX_CENTS }));
  assertProperty(
    fc.property(cents, cents, (minCents, maxCents) => {
      const highest = highestCents({ kind: 'open', minCents, maxCents });
      if (maxCents !== null) expect(highest).toBe(maxCents);
      else if (minCents === null || minCents <= 100_000_000n) expect(highest).toBe(100_000_000n);
      else expect(highest).toBeGreaterThanOrEqual(minCents);
    }),
    { numRuns: level.runs(1_000) },
  );
});

test('any text is either a plain decimal or no amount at all', () => {
  const digits = fc.stringMatching(/^[0-9.,eE+\-_ x']{0,9}$/);
  assertProperty(
    fc.property(fc.oneof(digits, fc.string(), fc.string({ unit: 'grapheme' })), (text) => {
      const isPlain = /^(0|[1-9]\d*)(\.\d{1,2})?$/.test(text) && Number(text) > 0 && Number(text) <= 1e12;
      if (isPlain) expect(Number(centsText(readCents(text)))).toBe(Number(text));
      else expect(() => readCents(text)).toThrow(expect.objectContaining({ code: 'INVALID_AMOUNT' }));
    }),
    { numRuns: level.runs(5_000) },
  );
});

test.each([
  '',
  ' ',
  '25 ',
  ' 25',
  '+25',
  '-25',
  '025',
  '25.',
  '.5',
  '25.001',
  '25,00',
  '1,000',
  '1_000',
  '1e3',
  '0x19',
  'NaN',
  'Infinity',
  '25\n',
  '２５',
  '٢٥',
  '0',
  '0.00',
  '1000000000000.01',
  '9'.repeat(400),
])('%j is not an amount', (text) => {
  expect(() => readCents(text)).toThrow(expect.objectContaining({ code: 'INVALID_AMOUNT' }));
});

test('trailing zeros make no difference', () => {
  expect([readCents('25'), readCents('25.0'), readCents('25.00')]).toEqual([2_500n, 2_500n, 2_500n]);
});
