import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRateTable } from '../../src/rates/index.ts';
import { assertProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { difference, fraction, price, times } from './arbitraries.ts';

/** How a source behaves: honest within 2 %, lying, stale, or silent. */
type Behaviour =
  | { readonly kind: 'honest'; readonly thousandths: number }
  | { readonly kind: 'lying'; readonly usd: string }
  | { readonly kind: 'outdated'; readonly thousandths: number }
  | { readonly kind: 'dead' };

const near = fc.integer({ min: 980, max: 1_020 });
const honest = near.map((thousandths): Behaviour => ({ kind: 'honest', thousandths }));
const faulty = fc.oneof(
  fc.record({ kind: fc.constant('lying' as const), usd: price }),
  fc.record({ kind: fc.constant('outdated' as const), thousandths: fc.integer({ min: 1, max: 5_000 }) }),
  fc.constant<Behaviour>({ kind: 'dead' }),
);

/** The true price, and sources of which more are honest than lying, in any order. */
const sources = fc
  .tuple(fc.array(honest, { minLength: 1, maxLength: 6 }), fc.array(faulty, { maxLength: 8 }))
  .filter(([truthful, others]) => truthful.length > others.filter(({ kind }) => kind === 'lying').length)
  .chain(([truthful, others]) =>
    fc.shuffledSubarray([...truthful, ...others], { minLength: truthful.length + others.length }),
  )
  .chain((behaviours) => fc.record({ truth: price, behaviours: fc.constant(behaviours) }));

describe('a rate from many sources', () => {
  it('lies between the honest quotes while the honest sources are the majority of those that response', () => {
    assertProperty(
      fc.property(sources, ({ truth, behaviours }) => {
        const { rate, truths } = rateIn(truth, behaviours);
        if (rate === null) throw new Error('the honest sources agree');
        const usd = fraction(rate.usd);
        // The rate is rounded to 15 significant digits, so it is off by at most a part in 10^14.
        const slightly = (over: bigint, under: bigint) => (text: string) => times(fraction(text), { over, under });
        expect(truths.map(slightly(10n ** 14n - 1n, 10n ** 14n)).some((low) => difference(low, usd) <= 0n)).toBe(true);
        expect(truths.map(slightly(10n ** 14n + 1n, 10n ** 14n)).some((high) => difference(high, usd) >= 0n)).toBe(
          true,
        );
      }),
      { numRuns: level.runs(2_000) },
    );
  });

  it('is absent when no source answers in time', () => {
    const silent = faulty.filter(({ kind }) => kind !== 'lying');
    assertProperty(
      fc.property(price, fc.array(silent, { maxLength: 6 }), (truth, behaviours) => {
        expect(rateIn(truth, behaviours).rate).toBeNull();
      }),
    );
  });

  it('is absent when half of the sources contradict the other half', () => {
    const contradiction = fc.tuple(price, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1_120, max: 1_000_000 }));
    assertProperty(
      fc.property(contradiction, ([truth, half, thousandths]) => {
        const lie = multipliedBy(truth, thousandths);
        const liars = Array.from({ length: half }, (): Behaviour => ({ kind: 'lying', usd: lie }));
        const others = Array.from({ length: half }, (): Behaviour => ({ kind: 'honest', thousandths: 1_000 }));
        expect(rateIn(truth, [...liars, ...others]).rate).toBeNull();
      }),
    );
  });

  it('rule 31: is absent unless more than half of the answering sources agree', () => {
    const opinions = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 7 });
    assertProperty(
      fc.property(price, opinions, (truth, powers) => {
        // Steps of 12 %: two sources agree exactly when they report the same price.
        const behaviours = powers.map((power): Behaviour => {
          const usd = Array.from({ length: power }).reduce((value: string) => multipliedBy(value, 1_120), truth);
          return { kind: 'lying', usd: usd.slice(0, usd.indexOf('.') + 40) };
        });
        const largest = Math.max(...powers.map((power) => powers.filter((other) => other === power).length));
        expect(rateIn(truth, behaviours).rate !== null).toBe(largest * 2 > powers.length);
      }),
    );
    const alone = ['100', '1', '200'].map((usd): Behaviour => ({ kind: 'lying', usd }));
    expect(rateIn('100', alone).rate).toBeNull();
  });
});

// Helpers

function rateIn(truth: string, behaviours: readonly Behaviour[]) {
  let now = 1_700_000_000_000;
  const table = createRateTable({ clock: { now: () => now } });
  const truths: string[] = [];
  const outdated = behaviours.flatMap((each, index) => (each.kind === 'outdated' ? [{ ...each, index }] : []));
  for (const { index, thousandths } of outdated) {
    table.accept(`source ${index}`, { LTC: multipliedBy(truth, thousandths) }, 'market');
  }
  now += 300_001;
  for (const [index, each] of behaviours.entries()) {
    if (each.kind === 'honest') truths.push(multipliedBy(truth, each.thousandths));
    if (each.kind === 'honest')
      table.accept(`source ${index}`, { LTC: multipliedBy(truth, each.thousandths) }, 'market');
    if (each.kind === 'lying') table.accept(`source ${index}`, { LTC: each.usd }, 'market');
    if (each.kind === 'dead') table.fail(`source ${index}`, 'it is dead');
  }
  return { rate: table.get('LTC'), truths };
}

/** The price times `thousandths`/1000, exactly, as a plain decimal. */
function multipliedBy(usd: string, thousandths: number): string {
  const [whole = '', places = ''] = usd.split('.');
  const digits = (BigInt(whole + places) * BigInt(thousandths)).toString().padStart(places.length + 4, '0');
  return `${digits.slice(0, -(places.length + 3))}.${digits.slice(-(places.length + 3))}`;
}
