import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, type TransactionEvent } from '../../../machines/index.ts';
import { assertProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { replay, startRun, type View } from './actor-run.ts';
import { WINDOW_CLOSED } from './chart-events.ts';
import { transactionHistories } from './commands/index.ts';
import { cast } from './model/arbitraries.ts';
import { createLedger } from './model/model.ts';
import { dropped, LATE, mined, seen } from './observations.ts';
import { CLOSES_AT, DUE, TERMS } from './terms.ts';

describe('lateness', () => {
  it('rule 2: depends on the first sighting only: however late events are processed, the outcome is the same', () => {
    const delays = fc.array(fc.constantFrom(0, 1, HOUR_MS, 48 * HOUR_MS), { minLength: 5, maxLength: 5 });
    assertProperty(
      fc.property(cast, transactionHistories(), delays, (amounts, commands, pauses) => {
        const run = startRun(TERMS);
        fc.modelRun(() => ({ model: createLedger(amounts), real: run }), commands);
        // A review stops the clock when it is noticed, so its length rightly depends on the clock.
        const prompt = run.journal.filter((event) => event.type !== 'chain.balance_dropped').map(asRunning);
        // A loss inside the window leaves the payment short at once; one noticed only after it has
        // to settle (rule 8).
        if (losesCoinsInWindow(prompt)) return;
        let delay = 0;
        const delayed = prompt.map((event, index) => {
          delay += pauses[index % pauses.length] ?? 0;
          return { ...event, at: event.at + delay };
        });
        expect(outcomeOf(replay(TERMS, delayed))).toEqual(outcomeOf(replay(TERMS, prompt)));
      }),
      { numRuns: level.runs(200) },
    );
  });

  it.each([
    ['exactly at the close', CLOSES_AT, 'confirming'],
    ['a millisecond after the close', CLOSES_AT + 1, 'expired.paidLate'],
    ['six hours after the close', CLOSES_AT + 6 * HOUR_MS, 'expired.paidLate'],
    ['six hours and a millisecond after the close', CLOSES_AT + 6 * HOUR_MS + 1, 'expired.watching'],
  ])(
    'of coins first seen %s is the same whether they are processed before or after the close',
    (_, firstSeenAt, leaf) => {
      const coins = seen({ order: 1, firstSeenAt, at: firstSeenAt + HOUR_MS });
      expect(replay(TERMS, [coins, WINDOW_CLOSED]).leaf).toBe(leaf);
      expect(replay(TERMS, [WINDOW_CLOSED, coins]).leaf).toBe(leaf);
    },
  );

  it('L14, rule 2: of coins seen while the window is held open waits for the close; coins in time found meanwhile still count', () => {
    const run = startRun(TERMS);
    run.send(seen({ id: 'late', order: 1, firstSeenAt: LATE }));
    expect(run.view().leaf).toBe('open.awaitingPayment');

    const held = replay(TERMS, [...run.journal, WINDOW_CLOSED]);
    expect(held.leaf).toBe('expired.paidLate');

    run.send(seen({ id: 'early', order: 2, firstSeenAt: CLOSES_AT - 1, at: LATE + HOUR_MS }));
    expect(run.view().leaf).toBe('confirming');
  });

  it('is reverted when an earlier sighting of the same coins is reported', () => {
    const late = seen({ order: 2, firstSeenAt: LATE });
    const earlier = seen({ order: 1, firstSeenAt: CLOSES_AT - 1, at: LATE + HOUR_MS });
    expect(replay(TERMS, [WINDOW_CLOSED, late]).leaf).toBe('expired.paidLate');
    expect(replay(TERMS, [WINDOW_CLOSED, late, earlier]).leaf).toBe('confirming');
  });

  it('is not reverted by a block with an earlier time, whichever is processed first', () => {
    const late = seen({ order: 1, firstSeenAt: LATE });
    const block = mined({ order: 2, firstSeenAt: CLOSES_AT - 1, at: LATE + HOUR_MS });
    for (const events of [
      [WINDOW_CLOSED, late, block],
      [WINDOW_CLOSED, block, late],
      [late, WINDOW_CLOSED, block],
      [block, WINDOW_CLOSED, late],
      [block, late, WINDOW_CLOSED],
    ]) {
      const { leaf, context } = replay(TERMS, events);
      expect(leaf).toBe('expired.paidLate');
      expect(context.outputs).toMatchObject([{ firstSeenAt: LATE, presence: 'block' }]);
    }
  });

  it('of coins that were first seen in a block stays, wherever they are found again', () => {
    const block = mined({ order: 1 });
    const again = seen({ order: 3, firstSeenAt: LATE });
    const lost = dropped({ order: 2, reason: 'reorged' });
    for (const events of [
      [block, lost, again],
      [again, lost, block],
      [lost, again, block],
    ]) {
      expect(replay(TERMS, [...events, WINDOW_CLOSED]).leaf).toBe('confirming');
    }
  });

  it('does not let partial payments cover the amount together with late ones', () => {
    const early = seen({ id: 'early', amount: DUE / 2n, order: 1 });
    const rest = seen({ id: 'rest', amount: DUE / 2n, order: 2, firstSeenAt: LATE });
    expect(replay(TERMS, [early, rest]).leaf).toBe('open.partiallyPaid');
    expect(replay(TERMS, [early, rest, WINDOW_CLOSED]).leaf).toBe('expired.paidLate');
  });
});

// Helpers

function losesCoinsInWindow(events: readonly TransactionEvent[]): boolean {
  const run = startRun(TERMS);
  const steps = events.map((event) => run.send(event));
  return steps.some(({ before, after }) => before?.leaf === 'confirming' && after.leaf.startsWith('open.'));
}

const OF_CLOCK = ['timer.loss_settled', 'timer.verification_overdue', 'timer.confirmation_deadline_passed'];

/**
 * Some timers depend on the clock: when losses settle, verifications are overdue, and returned
 * coins must be in a block. Here their events always match the running timer.
 */
function asRunning(event: TransactionEvent): TransactionEvent {
  return 'dueAt' in event && OF_CLOCK.includes(event.type) ? { ...event, dueAt: Number.MAX_SAFE_INTEGER } : event;
}

/** The outcome without the times at which events were accepted. */
function outcomeOf({ leaf, context }: View) {
  const { lossSettlesAt, lostSince, verificationDueAt, confirmationDeadlineAt, failedAt, outputs } = context;
  const isAnew = outputs.some(({ backSince }) => backSince !== undefined);
  return {
    leaf,
    ...context,
    updatedAt: 0,
    completedAt: 0,
    lossSettlesAt: 0,
    lostSince: Object.keys(lostSince ?? {}).sort(),
    // Counted from when the coins were back, so it depends on the time of acceptance.
    confirmationDeadlineAt: isAnew && confirmationDeadlineAt !== null ? 0 : confirmationDeadlineAt,
    verificationDueAt: 0,
    failedAt: 0,
    isMissing: lossSettlesAt !== null,
    isRequested: verificationDueAt !== null,
    hasFailed: failedAt !== null,
    outputs: outputs.map(({ confirmedAt, backSince, ...output }) => ({
      ...output,
      isBack: backSince !== undefined,
      verified: null,
      isConfirmed: confirmedAt !== null,
    })),
  };
}
