import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDecimal } from '../../src/rates/decimal.ts';
import { inverse, middleOf, product, quotesFrom, ratio, readPrice } from '../../src/rates/sources/price.ts';
import { assertProperty } from '../support/run/fast-check.ts';
import { difference, fraction, price, times } from './arbitraries.ts';

const written = (value: ReturnType<typeof readPrice>) => (value === null ? null : formatDecimal(value));

describe('readPrice', () => {
  it('parses scientific notation exactly, to the last digit', () => {
    const digits = fc.stringMatching(/^[1-9]\d{0,17}$/);
    assertProperty(
      fc.property(digits, fc.integer({ min: -14, max: 0 }), fc.constantFrom('e', 'E'), (number, exponent, letter) => {
        const places = number.length - 1 - exponent;
        const plain = formatDecimal({ coefficient: BigInt(number), scale: places });
        const scientific = `${number[0]}.${number.slice(1) || '0'}${letter}${exponent}`;
        expect(written(readPrice(scientific))).toBe(plain);
        expect(written(readPrice(plain))).toBe(plain);
      }),
    );
    expect(written(readPrice('9.1e-06'))).toBe('0.0000091');
    expect(written(readPrice('6.5E+4'))).toBe('65000');
    expect(written(readPrice('65012.10000'))).toBe('65012.1');
    expect(written(readPrice('67187.33589365661234567'))).toBe('67187.33589365661234567');
  });

  it('rejects anything that is not a price', () => {
    const none = [
      '0',
      '0.000',
      '0e5',
      '-1',
      '-0',
      '+1',
      'NaN',
      'Infinity',
      '',
      ' 1',
      '1 ',
      '1,5',
      '1_000',
      '.5',
      '5.',
      '0x1',
    ];
    for (const text of [...none, '1e', 'e5', '1e999', '1e-16', '1e16', '9'.repeat(41), '١', '12abc'])
      expect(readPrice(text), text).toBeNull();
    for (const value of [undefined, null, 5, true, {}, ['1']]) expect(readPrice(value)).toBeNull();
  });
});

describe('middleOf', () => {
  it('returns the exact midpoint of bid and ask', () => {
    const book = fc.tuple(price, fc.integer({ min: 0, max: 20 })).map(([bid, mills]) => {
      const ask = times(fraction(bid), { over: 1000n + BigInt(mills), under: 1000n });
      return { bid, ask: formatDecimal({ coefficient: ask.over, scale: ask.under.toString().length - 1 }) };
    });
    assertProperty(
      fc.property(book, ({ bid, ask }) => {
        const middle = written(middleOf(bid, ask));
        if (middle === null) throw new Error(`${bid} and ${ask} are near each other`);
        const doubled = times(fraction(middle), { over: 2n, under: 1n });
        const [low, high] = [fraction(bid), fraction(ask)];
        const sum = { over: low.over * high.under + high.over * low.under, under: low.under * high.under };
        expect(difference(doubled, sum)).toBe(0n);
      }),
    );
  });

  it('returns nothing for a market that is crossed, one-sided, or has too wide a spread', () => {
    expect(written(middleOf('100', '102'))).toBe('101');
    expect(middleOf('100', '102.0001')).toBeNull();
    expect(middleOf('100', '99.9')).toBeNull();
    expect(middleOf('0.07946700', '100000.00000000')).toBeNull();
    for (const none of ['0.00000000', '-1', undefined, 'x']) {
      expect(middleOf(none, '100')).toBeNull();
      expect(middleOf('100', none)).toBeNull();
    }
  });
});

describe('price arithmetic', () => {
  it('keeps every digit that a rate keeps', () => {
    const priceOf = (text: string) => {
      const value = readPrice(text);
      if (value === null) throw new Error(`${text} is a price`);
      return value;
    };
    /** Whether `actual` is `expected` to 15 significant digits. */
    const isNear = (actual: string, expected: { over: bigint; under: bigint }) => {
      const distance = difference(fraction(actual), expected);
      const [over, under] = [distance < 0n ? -distance : distance, fraction(actual).under * expected.under];
      return over * expected.under * 10n ** 15n <= expected.over * under;
    };
    const ordinary = price.filter((text) => Number(text) > 1e-6 && Number(text) < 1e6);
    assertProperty(
      fc.property(ordinary, ordinary, (one, other) => {
        const [a, b] = [fraction(one), fraction(other)];
        expect(isNear(formatDecimal(inverse(priceOf(one))), { over: a.under, under: a.over })).toBe(true);
        expect(isNear(formatDecimal(product(priceOf(one), priceOf(other))), times(a, b))).toBe(true);
        const quotient = times(a, { over: b.under, under: b.over });
        expect(isNear(formatDecimal(ratio(priceOf(one), priceOf(other))), quotient)).toBe(true);
      }),
    );
  });
});

describe('quotesFrom', () => {
  it('omits entries without a price, and rejects a response without any price', () => {
    expect(quotesFrom('some', (symbol) => (symbol === 'LTC' ? readPrice('80.50') : null))).toEqual({ LTC: '80.5' });
    expect(() => quotesFrom('some', () => null)).toThrow(
      expect.objectContaining({ name: 'RetryableError', code: 'RATE_SOURCE_UNREADABLE' }),
    );
  });
});
