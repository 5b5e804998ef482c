import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDecimal } from '../../src/rates/decimal.ts';
import { medianPrice } from '../../src/rates/index.ts';
import { assertProperty } from '../support/run/fast-check.ts';
import { difference, fraction, price } from './arbitraries.ts';

const named = (prices: readonly string[]) => prices.map((usd, index) => ({ source: `s${index}`, usd }));

describe('medianPrice', () => {
  it('returns the median of prices that are close to each other', () => {
    expect(medianPrice(named(['80', '81', '80.5']))).toEqual({ usd: '80.5', sources: ['s0', 's1', 's2'] });
    expect(medianPrice(named(['80', '81']))).toEqual({ usd: '80.5', sources: ['s0', 's1'] });
    expect(medianPrice(named(['0.1', '0.109', '0.105', '0.104']))).toEqual({
      usd: '0.1045',
      sources: ['s0', 's1', 's2', 's3'],
    });
  });

  it('rule 31: drops prices more than 5 % away from the median and lists the sources used', () => {
    expect(medianPrice(named(['100', '101', '0.01']))).toEqual({ usd: '100.5', sources: ['s0', 's1'] });
    expect(medianPrice(named(['100', '100', '105']))).toEqual({ usd: '100', sources: ['s0', 's1', 's2'] });
    expect(medianPrice(named(['100', '100', '105.0001']))).toEqual({ usd: '100', sources: ['s0', 's1'] });
    expect(medianPrice(named(['100', '100', '94.9999']))).toEqual({ usd: '100', sources: ['s0', 's1'] });
  });

  it('returns no price without sources, or when two sources contradict each other', () => {
    expect(medianPrice([])).toBeNull();
    expect(medianPrice(named(['100', '111']))).toBeNull();
    expect(medianPrice(named(['100', '110']))).toEqual({ usd: '105', sources: ['s0', 's1'] });
  });

  it('is never computed from references: they only decide which prices to trust', () => {
    const around = fc.integer({ min: 900, max: 1_100 }).map((thousandths) => (thousandths / 1_000).toString());
    const quotes = fc.record({
      markets: fc.array(around, { maxLength: 4 }),
      references: fc.array(around, { maxLength: 3 }),
    });
    assertProperty(
      fc.property(quotes, ({ markets, references }) => {
        const others = references.map((usd, index) => ({ source: `r${index}`, usd, isReference: true }));
        const price = medianPrice([...named(markets), ...others]);
        if (price === null) return;
        const used = price.sources.map((source) => Number(markets[Number(source.slice(1))])).sort((a, b) => a - b);
        const [lower, upper] = [used[Math.floor((used.length - 1) / 2)], used[Math.floor(used.length / 2)]];
        expect(Number(price.usd)).toBeCloseTo(((lower ?? Number.NaN) + (upper ?? Number.NaN)) / 2, 12);
      }),
    );
    expect(medianPrice([{ source: 'ecb', usd: '1', isReference: true }])).toBeNull();
  });

  it('rule 34: returns no price when the only market is more than 5 % away from the reference', () => {
    const priceBeside = (usd: string, ...others: readonly string[]) =>
      medianPrice([...named([usd, ...others]), { source: 'ecb', usd: '1', isReference: true }]);
    assertProperty(
      fc.property(fc.integer({ min: 800, max: 1_200 }), (thousandths) => {
        const usd = formatDecimal({ coefficient: BigInt(thousandths), scale: 3 });
        const isBelieved = thousandths >= 950 && thousandths <= 1_050;
        expect(priceBeside(usd)).toEqual(isBelieved ? { usd, sources: ['s0'] } : null);
        // A second market that is far more wrong does not corroborate it.
        if (!isBelieved) expect(priceBeside(usd, '9')).toBeNull();
      }),
    );
    expect(priceBeside('1.09', '1.085')).toEqual({ usd: '1.0875', sources: ['s0', 's1'] });
  });

  it('does not depend on the order of the sources', () => {
    const shuffled = fc
      .array(price, { minLength: 1, maxLength: 7 })
      .chain((prices) =>
        fc.tuple(fc.constant(named(prices)), fc.shuffledSubarray(named(prices), { minLength: prices.length })),
      );
    assertProperty(
      fc.property(shuffled, ([one, other]) => {
        expect(medianPrice(one)).toEqual(medianPrice(other));
      }),
    );
  });

  it('lies between the prices used, is exact as a JSON number, and cannot be moved by one wrong source of three', () => {
    const near = fc
      .integer({ min: 1_000_000, max: 1_040_000 })
      .map((millionths) => (millionths / 1_000_000).toString());
    assertProperty(
      fc.property(near, near, price, (honest, alsoHonest, lie) => {
        const price = medianPrice(named([honest, alsoHonest, lie]));
        if (price === null) throw new Error('two honest sources agree');
        const used = price.sources.map((source) => fraction([honest, alsoHonest, lie][Number(source.slice(1))] ?? ''));
        expect(used.some((usd) => difference(usd, fraction(price.usd)) <= 0n)).toBe(true);
        expect(used.some((usd) => difference(usd, fraction(price.usd)) >= 0n)).toBe(true);
        expect(Number(price.usd)).toBeGreaterThanOrEqual(0.95);
        expect(Number(price.usd)).toBeLessThanOrEqual(1.04 * 1.05);
        expect(String(Number(price.usd))).toBe(price.usd);
      }),
    );
  });

  it('keeps 15 significant digits, rounded once', () => {
    expect(medianPrice(named(['123456.1234567894']))?.usd).toBe('123456.123456789');
    expect(medianPrice(named(['123456.1234567896']))?.usd).toBe('123456.12345679');
    expect(medianPrice(named(['0.00000001234567890123456']))?.usd).toBe('0.0000000123456789012346');
    expect(medianPrice(named(['80.50']))?.usd).toBe('80.5');
  });

  it('rejects invalid prices', () => {
    for (const wrong of ['0', '', '-1', 'NaN', '1e9'])
      expect(() => medianPrice(named(['1', wrong]))).toThrow(RangeError);
  });
});
