import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../../src/http/checkout/languages/choose-language.ts';
import { createFormats } from '../../../../src/http/checkout/languages/formats.ts';
import { assertProperty } from '../../../support/run/fast-check.ts';
import { NOW } from '../samples.ts';

/** Intl uses several kinds of no-break spaces, which differ between its versions. */
const spaced = (text: string) => text.replace(/\s/g, ' ');

describe('formatted money and other numbers', () => {
  test.each([
    ['en', '12,345.60 EUR', '12,345.60', '12,345.68'],
    ['pl', '12 345,60 EUR', '12 345,60', '12 345,68'],
    ['de', '12.345,60 EUR', '12.345,60', '12.345,68'],
    ['fr', '12 345,60 EUR', '12 345,60', '12 345,68'],
    ['es', '12.345,60 EUR', '12.345,60', '12.345,68'],
    ['it', '12.345,60 EUR', '12.345,60', '12.345,68'],
    ['pt', '12.345,60 EUR', '12.345,60', '12.345,68'],
  ] as const)('use the format of %s', (language, money, rate, price) => {
    const formats = createFormats(language);
    expect(spaced(formats.money('12345.6', 'EUR'))).toBe(money);
    expect(spaced(formats.rate('12345.6'))).toBe(rate);
    expect(spaced(formats.coinPrice('12345.6789'))).toBe(price);
    expect(formats.coinPrice('0.00000123')).toMatch(/^0[.,]00000123$/);
    expect(formats.money('25', 'USD')).toMatch(/^25[.,]00 USD$/);
    expect(formats.colon).toBe(language === 'fr' ? '\u00a0: ' : ': ');
  });

  test('keep every digit', () => {
    const digits = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.stringMatching(/^[0-9]{0,17}[1-9]$/));
    assertProperty(
      fc.property(digits, fc.constantFrom(...LANGUAGES), ([whole, fraction], language) => {
        const written = createFormats(language).rate(`${whole}.${fraction}`);
        expect(written.replace(/\D/g, '')).toBe(`${whole}${fraction.padEnd(2, '0')}`);
      }),
    );
  });

  test('leave invalid numbers unchanged', () => {
    for (const language of LANGUAGES) expect(createFormats(language).rate('<b>1e3')).toBe('<b>1e3');
  });
});

describe('a coin amount', () => {
  test('is accepted by wallets and exact, in every language', () => {
    const amount = fc.stringMatching(/^(0|[1-9][0-9]{0,12})(\.[0-9]{0,17}[1-9])?$/);
    assertProperty(
      fc.property(amount, fc.constantFrom(...LANGUAGES), (text, language) => {
        const written = createFormats(language).exactCoins(text);
        expect(written).toMatch(/^\d+(\.\d+)?$/);
        expect(written.startsWith(text)).toBe(true);
        expect(written.slice(text.length)).toMatch(/^0?$/);
        expect(written.length > text.length && !text.includes('.')).toBe(false);
      }),
    );
  });

  test('cannot be read as thousands where a point is the group separator', () => {
    expect(LANGUAGES.map((language) => createFormats(language).exactCoins('27.027'))).toEqual([
      '27.027',
      '27.027',
      '27.0270',
      '27.027',
      '27.0270',
      '27.0270',
      '27.0270',
    ]);
    expect(createFormats('de').exactCoins('0.335')).toBe('0.335');
    expect(createFormats('de').exactCoins('27027')).toBe('27027');
    expect(createFormats('de').coins('27.0269999999', 'up')).toBe('27.0270');
  });
});

test('a time is shown in UTC and labelled so', () => {
  expect(LANGUAGES.map((language) => spaced(createFormats(language).timestamp(NOW)))).toEqual([
    '21 Nov 2026, 10:00 UTC',
    '21 lis 2026, 10:00 UTC',
    '21.11.2026, 10:00 UTC',
    '21 nov. 2026, 10:00 UTC',
    '21 nov 2026, 10:00 UTC',
    '21 nov 2026, 10:00 UTC',
    '21 de nov. de 2026, 10:00 UTC',
  ]);
});

test('a count uses the plural form of its language', () => {
  const forms = { one: 'potwierdzenie', few: 'potwierdzenia', many: 'potwierdzeń', other: 'potwierdzenia' };
  const { plural } = createFormats('pl');
  expect([0, 1, 2, 4, 5, 12, 22, 25].map((count) => plural(count, forms))).toEqual(
    'potwierdzeń potwierdzenie potwierdzenia potwierdzenia potwierdzeń potwierdzeń potwierdzenia potwierdzeń'.split(
      ' ',
    ),
  );
  expect([0, 1, 2].map((count) => createFormats('fr').plural(count, { one: 'a', other: 'b' }))).toEqual([
    'a',
    'a',
    'b',
  ]);
});

test.each([
  ['en', '1 December 2026', '2 December 2026'],
  ['pl', '1 grudnia 2026', '2 grudnia 2026'],
  ['de', '1. Dezember 2026', '2. Dezember 2026'],
  ['fr', '1er décembre 2026', '2 décembre 2026'],
  ['es', '1 de diciembre de 2026', '2 de diciembre de 2026'],
  ['it', '1 dicembre 2026', '2 dicembre 2026'],
  ['pt', '1 de dezembro de 2026', '2 de dezembro de 2026'],
] as const)('a due date is a day in UTC, formatted for %s', (language, first, second) => {
  const { day } = createFormats(language);
  expect(spaced(day(Date.UTC(2026, 11, 1)))).toBe(first);
  expect(spaced(day(Date.UTC(2026, 11, 2, 23, 59)))).toBe(second);
});
