import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../support/run/fast-check.ts';
import { startRun, webhooksOf } from './actor-run.ts';
import { firstSeen, history } from './model/arbitraries.ts';
import { TERMS } from './terms.ts';

describe('the rate of a payment', () => {
  it('rule 4: has no effect after the creation: the same coins lead to the same state at any rate', () => {
    const positive = fc.integer({ min: 1, max: 10_000_000 }).map(String);
    const rates = fc.record({
      exchangeRate: positive,
      fiatToUsdRate: positive,
      amountFiat: positive,
      amountUsd: positive,
    });
    assertProperty(
      fc.property(history({ sightings: firstSeen, losses: true }), rates, (events, quote) => {
        const locked = startRun(TERMS);
        const other = startRun({ ...TERMS, quote: { ...TERMS.quote, ...quote } });
        for (const event of events) {
          locked.send(event);
          other.send(event);
          expect(other.view().leaf).toBe(locked.view().leaf);
        }
        expect(webhooksOf(other)).toEqual(webhooksOf(locked));
      }),
    );
  });
});
