import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_WAIT_OVERDUE_MS } from '../../../machines/delivery/retry-policy.ts';
import { DELIVERY_HORIZON_MS, HOUR_MS, MAX_ATTEMPTS } from '../../../machines/index.ts';
import { assertProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import {
  CREATED_AT,
  DELIVERY,
  type DeliveryRun,
  deferred,
  failed,
  probeFailed,
  startDelivery,
  succeeded,
} from './delivery-run.ts';

/** The next event. `back`: 0 for the current attempt or timer, more for an earlier one. */
interface Move {
  readonly kind: 'succeeds' | 'fails' | 'probe fails' | 'deferred' | 'redeliver' | 'timer';
  readonly back: number;
  readonly jitter: number;
  /** The pause the receiver requests, or how long it is held back. */
  readonly pauseMs: number;
}

const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.oneof(
    { arbitrary: fc.constant('fails' as const), weight: 6 },
    { arbitrary: fc.constant('timer' as const), weight: 6 },
    { arbitrary: fc.constantFrom('probe fails' as const, 'deferred' as const), weight: 4 },
    { arbitrary: fc.constant('redeliver' as const), weight: 1 },
    { arbitrary: fc.constant('succeeds' as const), weight: 1 },
  ),
  back: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, { arbitrary: fc.nat({ max: 3 }), weight: 1 }),
  jitter: fc.double({ min: -1, max: 1, noNaN: true }),
  pauseMs: fc.integer({ min: -1, max: 3 * HOUR_MS }),
});

describe('any mix of responses, duplicates, stale responses and overdue timers', () => {
  it('numbers attempts consecutively, counts at most ten within a day, keeps one timer running, and ends delivered or failed', () => {
    const earlier = fc.nat({ max: 12 });
    const ending = fc.constantFrom('succeeds' as const, 'fails' as const, 'probe fails' as const, 'deferred' as const);
    assertProperty(
      fc.property(earlier, fc.array(move, { maxLength: 60 }), ending, (earlierAttempts, moves, atLast) => {
        const run = startDelivery({ ...DELIVERY, earlierAttempts });
        const past: PastTimer[] = [];
        let now = CREATED_AT;
        checkPromises(run, earlierAttempts);
        for (const next of moves) {
          now = play(run, next, past, now);
          checkPromises(run, earlierAttempts);
        }
        // Senders answer in the end: the endpoint is up again, or stays down or held back until the
        // horizon ends.
        const pauseMs = HOUR_MS;
        for (
          let step = 0;
          step < 2 * (MAX_ATTEMPTS + DELIVERY_HORIZON_MS / MAX_WAIT_OVERDUE_MS) && !run.isOver();
          step += 1
        ) {
          const kind = run.leaf() === 'waiting' ? 'timer' : atLast;
          now = play(run, { kind, back: 0, jitter: 0, pauseMs }, past, now);
          checkPromises(run, earlierAttempts);
        }
        expect(['delivered', 'failed']).toContain(run.leaf());
        if (run.leaf() !== 'failed' || run.context().made === MAX_ATTEMPTS) return;
        expect(run.context().endedAt).toBeGreaterThanOrEqual(CREATED_AT + DELIVERY_HORIZON_MS);
      }),
      { numRuns: level.runs(500) },
    );
  });
});

// Helpers

interface PastTimer {
  readonly timer: 'retry_due' | 'answer_overdue';
  readonly dueAt: number;
}

function play(run: DeliveryRun, { kind, back, jitter, pauseMs }: Move, past: PastTimer[], now: number): number {
  const wasOver = run.isOver();
  const attempt = run.context().attempt - back;
  if (kind === 'timer') {
    for (const [timer, dueAt] of run.timers) past.push({ timer: timer as PastTimer['timer'], dueAt });
    const fired = past.at(-1 - back);
    if (fired === undefined) return now;
    run.send({ type: `timer.${fired.timer}`, at: Math.max(now, fired.dueAt), dueAt: fired.dueAt });
    return Math.max(now, fired.dueAt);
  }
  run.send(
    {
      succeeds: succeeded(attempt, now),
      fails: failed(attempt, now, { jitter, retryAfterMs: pauseMs < 0 ? null : pauseMs }),
      'probe fails': probeFailed(attempt, now, now + pauseMs),
      deferred: deferred(attempt, now, now + pauseMs),
      redeliver: { type: 'merchant.redelivery_requested' as const, at: now },
    }[kind],
  );
  // Whichever attempt it was and whatever the delivery was waiting for: the endpoint has the event.
  if (kind === 'succeeds' && !wasOver) expect(run.leaf()).toBe('delivered');
  return now + 1;
}

function checkPromises(run: DeliveryRun, earlierAttempts: number): void {
  const { attempt, made, timerDueAt, endedAt } = run.context();
  expect(attempt).toBeGreaterThanOrEqual(earlierAttempts + made);
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
  if (run.leaf() === 'waiting') expect(run.dueAt()).toBeLessThanOrEqual(CREATED_AT + DELIVERY_HORIZON_MS);
}
