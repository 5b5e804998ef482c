import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, type TransactionEvent } from '../../../machines/index.ts';
import { play, startRun, webhooksOf } from './actor-run.ts';
import { balanceDropped, deadlinePassed, lossSettled, WINDOW_CLOSED, windowClosed } from './chart-events.ts';
import { BLOCK_HEIGHT, confirmed, dropped, IN_TIME, LATE, mined, seen } from './observations.ts';
import { CLOSES_AT, CONFIRMATIONS, DEADLINE_MS, DUE, SETTLES_MS, TERMS } from './terms.ts';

const HALF = DUE / 2n;
const DEADLINE = IN_TIME + DEADLINE_MS;
const DEEP_HEIGHT = BLOCK_HEIGHT + CONFIRMATIONS - 1;

describe('the review clock', () => {
  it('rule 14: gives a partly paid customer the rest of the window back when the missing payment is found', () => {
    const run = play([seen({ amount: HALF, order: 1 }), balanceDropped(IN_TIME)]);
    expect([...run.timers.keys()]).toEqual([]);
    expect(run.view().context.expiresAt).toBe(CLOSES_AT);

    run.send(seen({ id: 'found', amount: 1n, order: 2, firstSeenAt: IN_TIME + HOUR_MS }));
    expect(run.view().leaf).toBe('open.partiallyPaid');
    expect(run.view().context.expiresAt).toBe(CLOSES_AT + HOUR_MS);
    expect(run.timers.get('window_closed')?.at).toBe(CLOSES_AT + HOUR_MS);
  });

  it('is not affected by a window close that was in progress when it stopped', () => {
    const run = play([balanceDropped(IN_TIME), WINDOW_CLOSED]);
    expect(run.view()).toMatchObject({ leaf: 'open.inReview', context: { windowClosed: false } });

    run.send(seen({ amount: HALF, order: 1, at: IN_TIME + HOUR_MS }));
    run.send(WINDOW_CLOSED);
    expect(run.view().leaf).toBe('open.partiallyPaid');
    run.send(windowClosed(CLOSES_AT + HOUR_MS, CLOSES_AT + HOUR_MS));
    expect(run.view().leaf).toBe('expired.watching');
  });

  it('starts once: a second drop during the review neither restarts it nor notifies the merchant again', () => {
    const run = play([balanceDropped(IN_TIME), balanceDropped(IN_TIME + MINUTE_MS)]);
    expect(run.view().context.review?.startedAt).toBe(IN_TIME);
    expect(webhooksOf(run)).toEqual(['payment.created', 'payment.needs_review']);
  });

  it('stops again for a drop after an earlier review was resolved', () => {
    const run = play([
      balanceDropped(IN_TIME),
      seen({ id: 'found', amount: HALF, order: 1, at: IN_TIME + MINUTE_MS }),
      balanceDropped(IN_TIME + 2 * MINUTE_MS),
    ]);
    expect(run.view().leaf).toBe('open.inReview');
    expect(run.view().context.review).toMatchObject({ startedAt: IN_TIME + 2 * MINUTE_MS, resolvedAt: null });
    expect(webhooksOf(run).filter((event) => event === 'payment.needs_review').length).toBe(2);
  });
});

describe('the confirmation deadline', () => {
  it('rule 15: follows the last coins that are needed, and ignores surplus and its own past', () => {
    const run = play([
      seen({ id: 'one', amount: HALF, order: 1 }),
      seen({ id: 'two', amount: HALF, order: 2, firstSeenAt: CLOSES_AT }),
    ]);
    expect(run.timers.get('confirmation_deadline_passed')?.at).toBe(CLOSES_AT + DEADLINE_MS);

    run.send(seen({ id: 'dust', amount: 1n, order: 3, firstSeenAt: LATE }));
    expect(run.timers.get('confirmation_deadline_passed')?.at).toBe(CLOSES_AT + DEADLINE_MS);
    run.send(deadlinePassed(CLOSES_AT + DEADLINE_MS - 1));
    expect(run.view().leaf).toBe('confirming');
    run.send(deadlinePassed(CLOSES_AT + DEADLINE_MS));
    expect(run.view().leaf).toBe('failed');
  });

  it('rule 15: ends when coins in blocks cover the amount due, and restarts when a reorg removes them', () => {
    const run = play([seen({ order: 1 }), WINDOW_CLOSED, mined({ order: 2 })]);
    expect(run.timers.has('confirmation_deadline_passed')).toBe(false);
    run.send(deadlinePassed(DEADLINE));
    expect(run.view().leaf).toBe('confirming');

    run.send(seen({ order: 3 }));
    expect(run.timers.get('confirmation_deadline_passed')?.at).toBe(DEADLINE);
    run.send(deadlinePassed(DEADLINE));
    expect(run.view().leaf).toBe('failed');
  });

  it('rule 15: restarts for coins that lose their block after it, so that a reorg alone fails nothing', () => {
    const lostItsBlock = DEADLINE + 10 * MINUTE_MS;
    const away = mined({ order: 2, at: IN_TIME + 23 * HOUR_MS });
    const back = seen({ order: 3, at: lostItsBlock });
    for (const [one, other] of [
      [away, back],
      [back, away],
    ] as const) {
      const run = play([seen({ order: 1 }), WINDOW_CLOSED, one, { ...other, at: lostItsBlock }]);
      expect(run.timers.get('confirmation_deadline_passed')?.at).toBe(lostItsBlock + DEADLINE_MS);
      run.send(deadlinePassed(DEADLINE));
      run.send(confirmed({ order: 4, at: lostItsBlock + HOUR_MS, branch: 'fork' }));
      expect(run.view().leaf).toBe('completed');
    }
  });

  it('L15, rule 15: restarts for coins that are found again a day after they were lost', () => {
    const lostAt = CLOSES_AT + HOUR_MS;
    const run = play([seen({ order: 1 }), WINDOW_CLOSED, dropped({ order: 2, at: lostAt })]);
    const settlesAt = lostAt + SETTLES_MS;
    run.send(lossSettled(settlesAt));
    expect(run.view().leaf).toBe('failed');
    const foundAt = DEADLINE + HOUR_MS;
    run.send(seen({ order: 3, at: foundAt }));
    run.send(seen({ order: 4, at: foundAt + HOUR_MS }));
    expect(run.timers.get('confirmation_deadline_passed')?.at).toBe(foundAt + DEADLINE_MS);
    run.send(confirmed({ order: 5, at: foundAt + 2 * HOUR_MS }));
    expect(run.view().leaf).toBe('completed');
  });

  it('fails no payment whose coins were in a block while the watcher was down', () => {
    const afterOutage = IN_TIME + 2 * DAY_MS;
    const run = play([mined({ order: 1, at: afterOutage }), { ...deadlinePassed(DEADLINE), at: afterOutage + 1 }]);
    run.send(confirmed({ order: 2, at: afterOutage + 2 }));
    expect(run.view().leaf).toBe('completed');
    expect(webhooksOf(run)).not.toContain('payment.failed');
  });

  it('can fall inside a long window and still fails the payment', () => {
    const run = startRun({ ...TERMS, windowMs: DAY_MS, confirmationDeadlineMs: 6 * HOUR_MS });
    run.send(seen({ order: 1 }));
    run.send(deadlinePassed(IN_TIME + 6 * HOUR_MS));
    expect(run.view().leaf).toBe('failed');
    expect([...run.timers.keys()]).toEqual(['monitoring_ended']);
  });
});

describe('the depth timer', () => {
  it('rule 19: counts the block itself as the first confirmation', () => {
    const run = play([mined({ order: 1 })]);
    expect(run.timers.get('depth_reached')?.at).toBe(DEEP_HEIGHT);
  });

  it('follows the coins into another block after a reorg', () => {
    const run = play([mined({ order: 1 }), mined({ order: 2, branch: 'fork', height: BLOCK_HEIGHT + 3 })]);
    expect(run.timers.get('depth_reached')?.at).toBe(DEEP_HEIGHT + 3);
  });

  it('is set again when a verification answers that the coins are not deep enough yet', () => {
    const run = play([mined({ order: 1 }), depthReached(DEEP_HEIGHT)]);
    expect(run.verifications).toEqual([['a:0']]);
    expect(run.timers.has('depth_reached')).toBe(false);
    run.send(mined({ order: 2 }));
    expect(run.timers.get('depth_reached')?.at).toBe(DEEP_HEIGHT);
  });

  it('needs no further answer when an overtaken verification arrives after all', () => {
    const run = play([
      mined({ amount: HALF, order: 3 }),
      depthReached(DEEP_HEIGHT),
      confirmed({ amount: HALF, order: 2 }),
    ]);
    expect(run.view().context.outputs).toMatchObject([{ verifying: false, order: 3 }]);
    expect(run.view().context.outputs[0]?.confirmedAt).not.toBeNull();
  });

  it('requests again without a response for ten minutes, as often as needed', () => {
    const run = play([mined({ order: 1 }), depthReached(DEEP_HEIGHT)]);
    for (let requested = 1; requested <= 3; requested += 1) {
      expect(run.verifications.length).toBe(requested);
      const due = run.timers.get('verification_overdue')?.at ?? Number.NaN;
      run.send({ type: 'timer.verification_overdue', at: due, dueAt: due });
      expect(run.timers.get('depth_reached')?.at).toBe(DEEP_HEIGHT);
      run.send({ ...depthReached(DEEP_HEIGHT), at: due });
    }
    run.send(confirmed({ order: 2 }));
    expect(run.view().leaf).toBe('completed');
    expect(run.timers.has('verification_overdue')).toBe(false);
  });

  it('continues for other outputs while one is being verified', () => {
    const run = play([
      mined({ id: 'low', amount: HALF, order: 1 }),
      mined({ id: 'high', amount: HALF, order: 2, height: BLOCK_HEIGHT + 5 }),
      depthReached(DEEP_HEIGHT),
    ]);
    expect(run.verifications).toEqual([['low:0']]);
    expect(run.timers.get('depth_reached')?.at).toBe(DEEP_HEIGHT + 5);
  });

  it('survives a stale height that is too low for anything', () => {
    const run = play([mined({ order: 1 }), depthReached(DEEP_HEIGHT - 1)]);
    expect(run.verifications).toEqual([]);
    expect(run.timers.get('depth_reached')?.at).toBe(DEEP_HEIGHT);
  });

  it('also runs for coins that arrive after completion', () => {
    const run = play([confirmed({ order: 1 }), mined({ id: 'extra', order: 2, height: BLOCK_HEIGHT + 9 })]);
    expect(run.timers.get('depth_reached')?.at).toBe(DEEP_HEIGHT + 9);
  });
});

describe('the end', () => {
  const ENDED = CLOSES_AT + 30 * DAY_MS;

  it.each([
    ['expired', [WINDOW_CLOSED], 'closedExpired'],
    ['failed', [seen({ order: 1 }), WINDOW_CLOSED, deadlinePassed(DEADLINE)], 'closedFailed'],
    ['completed', [confirmed({ order: 1 })], 'closedCompleted'],
  ] as const)('rule 13: of an %s payment releases the address and ignores later events', (_, events, leaf) => {
    const run = play(events);
    const { effects } = run.send({ type: 'timer.monitoring_ended', at: ENDED, dueAt: ENDED });
    expect(run.view()).toMatchObject({ leaf, status: 'done' });
    expect(effects).toContainEqual({ type: 'stopWatching', params: {} });
    const { before, after } = run.send(seen({ id: 'after', order: 9, firstSeenAt: ENDED + 1 }));
    expect(after).toEqual(before);
  });

  it('rule 13: waits for the merchant while late coins are undecided, however long that takes', () => {
    const run = play([WINDOW_CLOSED, seen({ order: 1, firstSeenAt: LATE })]);
    run.send({ type: 'timer.monitoring_ended', at: ENDED, dueAt: ENDED });
    expect(run.view().leaf).toBe('expired.paidLate');
  });
});

// Helpers

function depthReached(height: number): TransactionEvent {
  return { type: 'timer.depth_reached', at: IN_TIME, height };
}
