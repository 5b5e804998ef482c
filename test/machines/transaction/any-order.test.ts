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
import { assertProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { type ActorRun, startRun } from './actor-run.ts';
import { lossSettled, WINDOW_CLOSED } from './chart-events.ts';
import { firstSeen, history, inTime } from './model/arbitraries.ts';
import type { OutputEvent } from './model/model.ts';
import { confirmed, dropped, mined, seen } from './observations.ts';
import { CLOSES_AT, TERMS } from './terms.ts';

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
  it('rule 3: repeated, stale or shuffled they lead to the same outputs and sums', () => {
    assertProperty(
      fc.property(
        reordered(history({ sightings: firstSeen, losses: true, replacements: true })),
        ([straight, shuffled]) => {
          const [one, other] = [play(straight).run, play(shuffled).run];
          expect(moneyOf(other.view().context)).toEqual(moneyOf(one.view().context));
        },
      ),
      { numRuns: level.runs(300) },
    );
  });

  it('coins in time lead to the same state, unless a completion, which is final, came in between', () => {
    assertProperty(
      fc.property(reordered(history({ sightings: inTime, losses: true })), ([straight, shuffled]) => {
        const [one, other] = [play(straight), play(shuffled)];
        if (one.completed || other.completed) return;
        expect(other.run.view().leaf).toBe(one.run.view().leaf);
      }),
      { numRuns: level.runs(300) },
    );
  });

  it('without losses, early and late coins lead to the same state wherever the window closes, unless completed', () => {
    const observations = history({ sightings: firstSeen, losses: false }).map((events) => [...events, WINDOW_CLOSED]);
    assertProperty(
      fc.property(reordered(observations), ([straight, shuffled]) => {
        const [one, other] = [play(straight), play(shuffled)];
        const [straightView, shuffledView] = [one.run.view(), other.run.view()];
        expect(moneyOf(shuffledView.context)).toEqual(moneyOf(straightView.context));
        if (one.completed || other.completed) return;
        expect(shuffledView.leaf).toBe(straightView.leaf);
      }),
      { numRuns: level.runs(300) },
    );
  });

  it('rule 3, rule 8: when coins vanish or are replaced, before or after the close, they lead to the same end once losses have settled', () => {
    const observations = history({ sightings: firstSeen, losses: true, replacements: true }).map((events) => [
      ...events,
      WINDOW_CLOSED,
    ]);
    assertProperty(
      fc.property(reordered(observations), ([straight, shuffled]) => {
        const [one, other] = [play(straight), play(shuffled)];
        if (one.completed || other.completed) return;
        expect(endOf(settle(other.run))).toBe(endOf(settle(one.run)));
      }),
      { numRuns: level.runs(1_000) },
    );
  });

  it('rule 3: of each output only the newest counts, with the order of its first sighting', () => {
    assertProperty(
      fc.property(history({ sightings: firstSeen, losses: true, replacements: true }), (events) => {
        const [all, newest] = [play(events).run, play(newestOfEach(events)).run];
        expect(seenBaseUnits(newest.view().context)).toBe(seenBaseUnits(all.view().context));
        expect(sightingsIn(newest)).toEqual(sightingsIn(all));
      }),
      { numRuns: level.runs(300) },
    );
  });

  it('a replacement counts as seen with the original coins, even if only their absence is processed', () => {
    // Found by the property over watcher, bus and workers: the first sighting was still on its way.
    const bumped = { id: 'b', firstSeenAt: CLOSES_AT + 1, spends: ['coin:0'] };
    const lost = { ...dropped({ order: 3, spends: ['coin:0'] }), firstSeenOrder: 1 };
    const { run } = play([mined({ ...bumped, order: 2 }), lost, WINDOW_CLOSED]);
    expect(run.view().leaf).toBe('confirming');
  });

  it('late coins never make up for lost ones: the merchant decides about them, whichever is processed first', () => {
    // Found by the property above: the loss was folded inside the window in one order, after its
    // close in another.
    const late = { id: 'b', firstSeenAt: CLOSES_AT + 1 };
    const coins = [seen({ order: 1 }), seen({ ...late, order: 3 }), confirmed({ ...late, order: 4 })];
    const evicted = dropped({ order: 2, reason: 'evicted' as const });
    for (const events of [
      [...coins, WINDOW_CLOSED, evicted],
      [evicted, ...coins, WINDOW_CLOSED],
      [...coins, evicted, WINDOW_CLOSED],
    ]) {
      expect(settle(play(events).run).view().leaf).toBe('expired.paidLate');
    }
  });

  it('a replacement of coins that were in time completes the payment, whichever is processed first', () => {
    const [first, bumped] = [{ spends: ['coin:0'] }, { id: 'b', firstSeenAt: CLOSES_AT + 1, spends: ['coin:0'] }];
    const events = [seen({ ...first, order: 1 }), seen({ ...bumped, order: 2 }), dropped({ ...first, order: 3 })];
    const [paid, replaced, lost] = events as [TransactionEvent, TransactionEvent, TransactionEvent];
    for (const order of [
      [paid, WINDOW_CLOSED, lost, replaced],
      [paid, lost, WINDOW_CLOSED, replaced],
      [replaced, WINDOW_CLOSED, lost, paid],
      [lost, replaced, paid, WINDOW_CLOSED],
    ]) {
      const { run } = play(order);
      expect(run.view().leaf).toBe('confirming');
      expect(run.send(confirmed({ ...bumped, order: 4 })).after.leaf).toBe('completed');
    }
  });

  it('a verification counts although a newer report of the same block overtook it', () => {
    const { run } = play([mined({ order: 3 }), confirmed({ order: 2 })]);
    expect(run.view().leaf).toBe('completed');
  });

  it('a loss that was overtaken by the return to the same verified block changes nothing', () => {
    const events = [confirmed({ order: 1 }), dropped({ order: 2, reason: 'reorged' as const }), mined({ order: 3 })];
    const [first, second, third] = events as [TransactionEvent, TransactionEvent, TransactionEvent];
    const straight = play([first, second, third]).run.view().context;
    const overtaken = play([first, third, second]).run.view().context;
    expect(moneyOf(overtaken)).toEqual(moneyOf(straight));
    expect(confirmedBaseUnits(straight)).toBe(BigInt(TERMS.dueBaseUnits));
  });
});

// Helpers

function play(events: readonly TransactionEvent[]): { run: ActorRun; completed: boolean } {
  const run = startRun(TERMS);
  let completed = false;
  for (const event of events) completed = run.send(event).after.leaf === 'completed' || completed;
  return { run, completed };
}

/** What is processed when newer observations of the same output overtook all others. */
function newestOfEach(events: readonly OutputEvent[]): OutputEvent[] {
  return [...new Set(events.map(({ outputId }) => outputId))].flatMap((outputId) => {
    const reports = events.filter((event) => event.outputId === outputId);
    const [first, newest] = [reports[0], reports.at(-1)];
    if (first === undefined || newest === undefined) return [];
    return [{ ...newest, firstSeenAt: first.firstSeenAt, firstSeenOrder: first.order }];
  });
}

function sightingsIn(run: ActorRun) {
  return run.view().context.outputs.map(({ outputId, presence, superseded, firstSeenAt, firstSeenOrder }) => {
    return { outputId, presence, superseded, firstSeenAt, firstSeenOrder };
  });
}

/** Advances past the time in which lost coins could come back. */
function settle(run: ActorRun): ActorRun {
  const dueAt = run.timers.get('loss_settled')?.at;
  if (dueAt !== undefined) run.send(lossSettled(dueAt));
  return run;
}

/**
 * Without coins the two ends are equivalent: coins were lost after the close, or none were there at
 * the close.
 */
function endOf(run: ActorRun): string {
  const { leaf, context } = run.view();
  return context.failedBy === 'loss' && seenBaseUnits(context) === 0n ? 'expired.watching' : leaf;
}

/** The parts that must not depend on order; the times of acceptance do. */
function moneyOf(context: TransactionContext) {
  return {
    outputs: context.outputs.map(withoutTimestamps),
    seen: seenBaseUnits(context),
    confirmed: confirmedBaseUnits(context),
    remaining: remainingBaseUnits(context),
  };
}

function withoutTimestamps({ confirmedAt, verified, backSince, ...rest }: OutputRecord) {
  const isBack = backSince !== undefined;
  return { ...rest, isConfirmed: confirmedAt !== null, verifiedIn: verified?.blockHash ?? null, isBack };
}
