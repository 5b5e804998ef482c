import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  confirmedBaseUnits,
  type OutputRecord,
  remainingBaseUnits,
  seenBaseUnits,
  type TransactionContext,
  type TransactionEvent,
} from '../../../machines/index.ts';
import { assertProperty } from '../../support/fast-check.ts';
import { type ActorRun, startRun } from './actor-run.ts';
import { firstSeen, history, inTime } from './arbitraries.ts';
import { confirmed, dropped, LATE, mined, seen } from './observations.ts';
import { CLOSES_AT, TERMS } from './terms.ts';

const WINDOW_CLOSED: TransactionEvent = { type: 'timer.window_closed', at: CLOSES_AT, dueAt: CLOSES_AT };

/** A history and the same observations in another order, with some repeated. */
function reordered(
  observations: fc.Arbitrary<TransactionEvent[]>,
): fc.Arbitrary<[TransactionEvent[], TransactionEvent[]]> {
  return observations.chain((events) =>
    fc
      .tuple(fc.shuffledSubarray(events, { minLength: events.length }), fc.subarray(events))
      .map(([shuffled, repeated]): [TransactionEvent[], TransactionEvent[]] => [events, [...shuffled, ...repeated]]),
  );
}

describe('observations may arrive in any order', () => {
  it('and repeated, stale or shuffled they leave the same outputs and sums', () => {
    assertProperty(
      fc.property(reordered(history({ sightings: firstSeen, losses: true })), ([straight, shuffled]) => {
        const [one, other] = [play(straight).run, play(shuffled).run];
        expect(moneyOf(other.view().context)).toEqual(moneyOf(one.view().context));
      }),
      { numRuns: 300 },
    );
  });

  it('and coins in time lead to the same state, unless a completion, which is final, came in between', () => {
    assertProperty(
      fc.property(reordered(history({ sightings: inTime, losses: true })), ([straight, shuffled]) => {
        const [one, other] = [play(straight), play(shuffled)];
        if (one.completed || other.completed) return;
        expect(other.run.view().leaf).toBe(one.run.view().leaf);
      }),
      { numRuns: 300 },
    );
  });

  it('and where nothing is lost, early and late coins lead to the same state wherever the window closes', () => {
    const observations = history({ sightings: firstSeen, losses: false }).map((events) => [...events, WINDOW_CLOSED]);
    assertProperty(
      fc.property(reordered(observations), ([straight, shuffled]) => {
        const [one, other] = [play(straight).run.view(), play(shuffled).run.view()];
        expect(other.leaf).toBe(one.leaf);
        expect(moneyOf(other.context)).toEqual(moneyOf(one.context));
      }),
      { numRuns: 300 },
    );
  });

  it('so a verification counts although a newer report of the same block overtook it', () => {
    const { run } = play([mined({ order: 3 }), confirmed({ order: 2 })]);
    expect(run.view().leaf).toBe('completed');
  });

  it('so a loss that was overtaken by the return to the same verified block changes nothing', () => {
    const events = [confirmed({ order: 1 }), dropped({ order: 2, reason: 'reorged' as const }), mined({ order: 3 })];
    const [first, second, third] = events as [TransactionEvent, TransactionEvent, TransactionEvent];
    const straight = play([first, second, third]).run.view().context;
    const overtaken = play([first, third, second]).run.view().context;
    expect(moneyOf(overtaken)).toEqual(moneyOf(straight));
    expect(confirmedBaseUnits(straight)).toBe(BigInt(TERMS.dueBaseUnits));
  });

  it('but after the close a replacement must be reported before the loss it makes up for', () => {
    const opening = [seen({ id: 'first', order: 1 }), WINDOW_CLOSED];
    const replacement = seen({ id: 'bumped', order: 2, firstSeenAt: LATE });
    const loss = dropped({ id: 'first', order: 3, reason: 'replaced', at: LATE + 5 });
    expect(play([...opening, replacement, loss]).run.view().leaf).toBe('confirming');
    expect(play([...opening, loss, replacement]).run.view().leaf).toBe('expired.paidLate');
  });
});

// Helpers

function play(events: readonly TransactionEvent[]): { run: ActorRun; completed: boolean } {
  const run = startRun(TERMS);
  let completed = false;
  for (const event of events) completed = run.send(event).after.leaf === 'completed' || completed;
  return { run, completed };
}

/** All that must not depend on order; the moment an observation was accepted at does. */
function moneyOf(context: TransactionContext) {
  return {
    outputs: context.outputs.map(withoutMoments),
    seen: seenBaseUnits(context),
    confirmed: confirmedBaseUnits(context),
    remaining: remainingBaseUnits(context),
  };
}

function withoutMoments({ confirmedAt, verified, ...rest }: OutputRecord) {
  return { ...rest, isConfirmed: confirmedAt !== null, verifiedIn: verified?.blockHash ?? null };
}
