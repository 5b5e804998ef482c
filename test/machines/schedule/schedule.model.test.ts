import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, INTERVALS, nextPeriod, periodDueAt, REMINDERS_MS, UNPAID_AFTER_MS } from '../../../machines/index.ts';
import { assertProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { CREATED_AT, type ScheduleRun, startSchedule, type UntimedEvent } from './schedule-run.ts';

/** The next event. `days` pass before it, running or in downtime; `pick` selects a candidate. */
interface Move {
  readonly kind: 'confirm' | 'stop' | 'pause' | 'resume' | 'cancel' | 'resend' | 'bounce' | 'pay' | 'nothing';
  readonly days: number;
  readonly isAsleep: boolean;
  readonly pick: number;
}

const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('pay' as const, 'nothing' as const) },
    { weight: 4, arbitrary: fc.constantFrom('pause' as const, 'resume' as const, 'confirm' as const) },
    { weight: 1, arbitrary: fc.constantFrom('stop' as const, 'cancel' as const, 'resend' as const, 'bounce' as const) },
  ),
  days: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 12, noNaN: true }), fc.integer({ min: 0, max: 500 })),
  isAsleep: fc.boolean(),
  pick: fc.nat({ max: 20 }),
});

const terms = fc.record({
  interval: fc.constantFrom(...INTERVALS),
  createdAt: fc.integer({ min: 0, max: 1_500 }).map((days) => CREATED_AT + days * DAY_MS),
  startInDays: fc.option(fc.integer({ min: -20, max: 90 })),
  // Often few, so that many schedules are paused before their last period.
  maxPeriods: fc.option(fc.oneof(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 30 }))),
});

describe('any mix of confirmations, payments, pauses, ends, downtimes and timers that fire in any order', () => {
  it('numbers periods without gap or repeat, requests each at most once on its date, and leaves nothing stuck', () => {
    assertProperty(
      fc.property(terms, fc.array(move, { maxLength: 40, size: 'max' }), ({ startInDays, ...rest }, moves) => {
        const startAt = startInDays === null ? null : rest.createdAt + startInDays * DAY_MS;
        const run = startSchedule({ ...rest, startAt });
        // A schedule that is never confirmed tests little.
        for (const next of [{ kind: 'confirm', days: 1, isAsleep: false, pick: 0 } as const, ...moves]) {
          const requestedBefore = run.requested.length;
          const wasPaused = run.leaf() === 'paused';
          const takenBefore = paymentsTaken(run);
          const paid = play(run, next);
          expect(paymentsTaken(run)).toBe(takenBefore + paid);
          checkPeriods(run);
          checkTimers(run);
          expect(run.notifications.map(({ sequence }) => sequence)).toEqual(
            run.notifications.map((_, index) => index + 1),
          );
          if (wasPaused && next.kind !== 'resume') expect(run.requested.length).toBe(requestedBefore);
        }
        checkOutcomes(run);
        run.send({ type: 'merchant.cancelled' });
        run.passTo(run.now() + 366 * DAY_MS);
        expect(run.isOver()).toBe(true);
        expect(run.timers.size).toBe(0);
      }),
      { numRuns: level.runs(200) },
    );
  });
});

// Helpers

/** No payment is lost: it pays its period or counts as excess. */
function paymentsTaken({ settled, excess }: ScheduleRun): number {
  return settled.filter(({ outcome }) => outcome === 'paid').length + excess.length;
}

/** Plays one move; returns how many payments the schedule received. */
function play(run: ScheduleRun, { kind, days, isAsleep, pick }: Move): number {
  const moment = run.now() + Math.round(days * DAY_MS);
  if (isAsleep) run.sleepTo(moment, (due) => due[pick % due.length] ?? 'forgotten');
  else run.passTo(moment);
  const happening = happeningOf(run, kind, pick);
  if (happening === null || run.isOver()) return 0;
  run.send(happening);
  return kind === 'pay' ? 1 : 0;
}

function happeningOf(run: ScheduleRun, kind: Move['kind'], pick: number): UntimedEvent | null {
  switch (kind) {
    case 'confirm':
      return { type: 'customer.confirmed' };
    case 'stop':
      return { type: 'customer.stopped' };
    case 'pause':
      return { type: 'merchant.paused' };
    case 'resume':
      return { type: 'merchant.resumed' };
    case 'cancel':
      return { type: 'merchant.cancelled' };
    case 'resend':
      return { type: 'merchant.confirmation_resent' };
    case 'bounce':
      return { type: 'mail.bounced' };
    case 'pay': {
      // Mostly the awaited period; sometimes one that was paid or given up before.
      const period = run.requested.at(-1 - (pick % 3));
      if (period === undefined) return null;
      return { type: 'payment.completed', periodNo: period.periodNo, transactionId: `txn_${period.periodNo}_${pick}` };
    }
    case 'nothing':
      return null;
  }
}

/** Requested and skipped periods together are 1, 2, 3 …, with their calendar dates. */
function checkPeriods(run: ScheduleRun): void {
  const { anchor, interval, lastPeriodNo, maxPeriods } = run.context();
  const skipped = run.skipped.flatMap(({ from, to }) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index),
  );
  const numbers = [...run.requested.map(({ periodNo }) => periodNo), ...skipped].sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: lastPeriodNo }, (_, index) => index + 1));
  if (maxPeriods !== null) expect(lastPeriodNo).toBeLessThanOrEqual(maxPeriods);
  for (const { periodNo, dueAt, at } of run.requested) {
    expect(dueAt).toBe(periodDueAt(anchor ?? Number.NaN, interval, periodNo));
    expect(at).toBeGreaterThanOrEqual(dueAt);
    // An old period is never requested while a newer one is due.
    const isLast = periodNo === maxPeriods;
    if (!isLast) expect(at).toBeLessThan(periodDueAt(anchor ?? Number.NaN, interval, periodNo + 1));
  }
}

function checkTimers(run: ScheduleRun): void {
  if (run.isOver()) {
    expect(run.timers.size).toBe(0);
    return;
  }
  expect(Object.fromEntries(run.timers)).toEqual(run.context().timers);
  const { current } = run.context();
  const leaf = run.leaf();
  if (leaf === 'active.awaiting') expect(current).not.toBeNull();
  // With neither, nothing would ever end it.
  if (leaf === 'paused') expect(current ?? nextPeriod(run.context())).not.toBeNull();
  if (leaf === 'active.waiting') expect([...run.timers.keys()]).toEqual(['period_due']);
  if (leaf === 'unconfirmed') expect([...run.timers.keys()]).toEqual(['confirmation_expired']);
  if (leaf.startsWith('ended')) expect([...run.timers.keys()]).toEqual(['forgotten']);
  if (current !== null) {
    expect(run.timers.get('unpaid_due')).toBeLessThanOrEqual(current.requestedAt + UNPAID_AFTER_MS);
    expect(current.remindersSent).toBeLessThanOrEqual(REMINDERS_MS.length);
  }
}

/**
 * Each requested period is paid at most once, with a notification; unpaid may precede a late
 * payment, never follow one.
 */
function checkOutcomes(run: ScheduleRun): void {
  for (const { periodNo } of run.requested) {
    const outcomes = run.settled.filter((each) => each.periodNo === periodNo).map(({ outcome }) => outcome);
    expect([[], ['paid'], ['unpaid'], ['unpaid', 'paid']]).toContainEqual(outcomes);
    const events = run.notifications
      .filter((each) => 'periodNo' in each && each.periodNo === periodNo)
      .map(({ event }) => event);
    const wasCutShort = run.cutShort() === periodNo;
    const toTell = wasCutShort ? outcomes.slice(1) : outcomes;
    if (wasCutShort) expect(outcomes[0]).toBe('unpaid');
    expect(events).toEqual(toTell.map((outcome) => `recurring.payment.${outcome === 'paid' ? 'completed' : 'unpaid'}`));
    const steps = run.mails
      .filter((mail) => mail.kind === 'request' && mail.periodNo === periodNo)
      .map(({ step }) => step);
    expect([[0], [0, 1], [0, 1, 2]]).toContainEqual(steps);
  }
  expect(run.notifications.filter(({ event }) => event === 'recurring.stopped').length).toBeLessThanOrEqual(1);
}
