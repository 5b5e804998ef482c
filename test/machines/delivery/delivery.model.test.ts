import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_ATTEMPTS } from '../../../machines/index.ts';
import { assertProperty } from '../../support/fast-check.ts';
import { CREATED_AT, DELIVERY, type DeliveryRun, failed, startDelivery, succeeded } from './delivery-run.ts';

/** What may happen next. `back`: 0 for the attempt or timer of now, more for one of the past. */
interface Move {
  readonly kind: 'succeeds' | 'fails' | 'timer';
  readonly back: number;
  readonly jitter: number;
}

const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.oneof(
    { arbitrary: fc.constant('fails' as const), weight: 6 },
    { arbitrary: fc.constant('timer' as const), weight: 6 },
    { arbitrary: fc.constant('succeeds' as const), weight: 1 },
  ),
  back: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, { arbitrary: fc.nat({ max: 3 }), weight: 1 }),
  jitter: fc.double({ min: -1, max: 1, noNaN: true }),
});

describe('any mix of answers, duplicates, stale answers and overdue timers', () => {
  it('numbers attempts one by one, makes at most ten, keeps one timer running, and ends delivered or failed', () => {
    const earlier = fc.nat({ max: 12 });
    assertProperty(
      fc.property(earlier, fc.array(move, { maxLength: 60 }), fc.boolean(), (earlierAttempts, moves, isUpAtLast) => {
        const run = startDelivery({ ...DELIVERY, earlierAttempts });
        const past: PastTimer[] = [];
        let now = CREATED_AT;
        checkPromises(run, earlierAttempts);
        for (const next of moves) {
          now = play(run, next, past, now);
          checkPromises(run, earlierAttempts);
        }
        // Senders answer in the end: the endpoint is up again, or stays down until the schedule is used up.
        for (let step = 0; step < 2 * MAX_ATTEMPTS && !run.isOver(); step += 1) {
          const kind = run.leaf() === 'waiting' ? 'timer' : isUpAtLast ? 'succeeds' : 'fails';
          now = play(run, { kind, back: 0, jitter: 0 }, past, now);
          checkPromises(run, earlierAttempts);
        }
        expect(['delivered', 'failed']).toContain(run.leaf());
        if (run.leaf() === 'failed') expect(run.context().made).toBe(MAX_ATTEMPTS);
      }),
      { numRuns: 500 },
    );
  });
});

// Helpers

interface PastTimer {
  readonly timer: 'retry_due' | 'answer_overdue';
  readonly dueAt: number;
}

function play(run: DeliveryRun, { kind, back, jitter }: Move, past: PastTimer[], now: number): number {
  const before = run.isOver() ? undefined : run.leaf();
  const attempt = run.context().attempt - back;
  if (kind === 'timer') {
    for (const [timer, dueAt] of run.timers) past.push({ timer: timer as PastTimer['timer'], dueAt });
    const fired = past.at(-1 - back);
    if (fired === undefined) return now;
    run.send({ type: `timer.${fired.timer}`, at: Math.max(now, fired.dueAt), dueAt: fired.dueAt });
    return Math.max(now, fired.dueAt);
  }
  run.send(kind === 'succeeds' ? succeeded(attempt, now) : failed(attempt, now, jitter));
  if (kind === 'succeeds' && before === 'sending') expect(run.leaf()).toBe(back === 0 ? 'delivered' : 'sending');
  return now + 1;
}

function checkPromises(run: DeliveryRun, earlierAttempts: number): void {
  const { attempt, made, timerDueAt, endedAt } = run.context();
  expect(attempt).toBe(earlierAttempts + made);
  expect(made).toBeLessThanOrEqual(MAX_ATTEMPTS);
  const numbers = [...new Set(run.sent)];
  expect(numbers).toEqual(numbers.map((_, index) => earlierAttempts + 1 + index));
  expect(run.sent).toEqual([...run.sent].sort((a, b) => a - b));
  if (run.isOver()) {
    expect(run.timers.size).toBe(0);
    expect(endedAt).not.toBeNull();
    return;
  }
  expect([...run.timers.keys()]).toEqual([run.leaf() === 'sending' ? 'answer_overdue' : 'retry_due']);
  expect(run.dueAt()).toBe(timerDueAt);
}
