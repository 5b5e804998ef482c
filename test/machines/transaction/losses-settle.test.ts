import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../machines/index.ts';
import { assertProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { play } from './actor-run.ts';
import { lossSettled, WINDOW_CLOSED } from './chart-events.ts';
import { dropped, mined, seen } from './observations.ts';
import { CLOSES_AT, DUE, REQUIRED, SETTLES_MS } from './terms.ts';

const AFTER = CLOSES_AT + 10 * MINUTE_MS;
const THIRD = DUE / 3n + 1n;
/** Losing any of the last three leaves the payment short; the first is surplus. */
const COINS = { surplus: 1n, a: THIRD, b: THIRD, c: THIRD } as const;
type Coin = keyof typeof COINS;

/** A coin is lost or comes back, `seconds` after the previous event. */
const change = fc.record({
  coin: fc.constantFrom(...(Object.keys(COINS) as Coin[])),
  comesBack: fc.boolean(),
  seconds: fc.constantFrom(0, 1, 60, 600, 1_140),
});

describe('the time in which a loss settles', () => {
  it('rule 8: is not shared between losses: coins that were gone for a minute are not lost', () => {
    const minute19 = AFTER + 19 * MINUTE_MS;
    const run = play([
      coin('a', seen, 1),
      coin('b', seen, 2),
      coin('c', seen, 3),
      WINDOW_CLOSED,
      coin('a', dropped, 4, AFTER),
      coin('b', dropped, 5, minute19),
      coin('a', mined, 6, minute19 + SECOND_MS),
    ]);
    run.send(lossSettled(AFTER + SETTLES_MS));
    expect(run.view().leaf).toBe('confirming');
    expect(run.timers.get('loss_settled')?.at).toBe(minute19 + SETTLES_MS);
    run.send(lossSettled(minute19 + SETTLES_MS));
    expect(run.view().leaf).toBe('expired.watching');
  });

  it('rule 8: is not extended by later losses as long as something is left; a payment fails when all of it is lost', () => {
    const minute19 = AFTER + 19 * MINUTE_MS;
    const given = [coin('a', seen, 1), coin('b', seen, 2), coin('c', seen, 3), WINDOW_CLOSED];
    const two = play([...given, coin('a', dropped, 4, AFTER), coin('b', dropped, 5, minute19)]);
    expect(two.timers.get('loss_settled')?.at).toBe(AFTER + SETTLES_MS);
    two.send(coin('c', dropped, 6, minute19));
    expect(two.timers.get('loss_settled')?.at).toBe(minute19 + SETTLES_MS);
    two.send(lossSettled(minute19 + SETTLES_MS));
    expect(two.view().leaf).toBe('failed');
  });

  it('rule 8: ends when coins gone long enough alone leave it short, and never before, with any other changes', () => {
    assertProperty(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
        const names = Object.keys(COINS) as Coin[];
        const run = play([...names.map((name, index) => coin(name, seen, index + 1)), WINDOW_CLOSED]);
        const goneSince = new Map<Coin, number>();
        let [now, order] = [AFTER, names.length];
        for (const { coin: name, comesBack, seconds } of changes) {
          now += seconds * SECOND_MS;
          order += 1;
          run.send(coin(name, comesBack ? seen : dropped, order, now));
          if (comesBack) goneSince.delete(name);
          else if (!goneSince.has(name)) goneSince.set(name, now);
          expect(run.timers.get('loss_settled')?.at).toBe(expectedEnd(goneSince));
        }
      }),
      { numRuns: level.runs(200) },
    );
  });
});

// Helpers

/**
 * The first time at which the coins present, or gone for less than 20 minutes, do not cover the
 * required amount; undefined while they do.
 */
function expectedEnd(goneSince: ReadonlyMap<Coin, number>): number | undefined {
  const names = Object.keys(COINS) as Coin[];
  const isShortWithout = (gone: readonly Coin[]) =>
    names.filter((name) => !gone.includes(name)).reduce((sum, name) => sum + COINS[name], 0n) < REQUIRED;
  if (!isShortWithout([...goneSince.keys()])) return undefined;
  const moments = [...goneSince.values()].map((since) => since + SETTLES_MS);
  if (goneSince.size === names.length) return Math.max(...moments);
  return Math.min(
    ...moments.filter((moment) =>
      isShortWithout(names.filter((name) => (goneSince.get(name) ?? moment) + SETTLES_MS <= moment)),
    ),
  );
}

function coin(id: Coin, observe: typeof seen | typeof mined | typeof dropped, order: number, at?: number) {
  return observe({ id, amount: COINS[id], order, ...(at === undefined ? {} : { at }) });
}
