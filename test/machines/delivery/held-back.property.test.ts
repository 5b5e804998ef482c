import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, MAX_ATTEMPTS, MINUTE_MS, SECOND_MS } from '../../../machines/index.ts';
import { assertProperty } from '../../support/run/fast-check.ts';
import { CREATED_AT, deferred, failed, probeFailed, startDelivery } from './delivery-run.ts';

/** What a sender does with an attempt to an endpoint that it holds back. */
const turn = fc.record({
  what: fc.constantFrom('defer', 'probe', 'make'),
  heldForMs: fc.integer({ min: SECOND_MS, max: 2 * DAY_MS }),
  lastsMs: fc.integer({ min: 0, max: 15 * SECOND_MS }),
  jitter: fc.double({ min: -1, max: 1, noNaN: true }),
});

it('rule 57: makes ten attempts within 24 hours, however long and often its endpoint is held back', () => {
  assertProperty(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 200, size: 'max' }), (turns) => {
      const run = startDelivery();
      let now = CREATED_AT;
      for (let step = 0; !run.isOver(); step += 1) {
        const { what, heldForMs, lastsMs, jitter } = turns[step % turns.length] ?? NOTHING;
        const { attempt, made } = run.context();
        // Every delivery ends: one that has been held back often enough is overdue.
        if (what === 'defer' && !run.isOverdue()) run.send(deferred(attempt, now, now + heldForMs));
        else if (what === 'probe' && !run.isOverdue()) run.send(probeFailed(attempt, now + lastsMs, now + heldForMs));
        else run.send(failed(attempt, now + lastsMs, { jitter }));
        if (run.isOver()) expect(made).toBe(MAX_ATTEMPTS);
        else {
          now = run.dueAt();
          run.send({ type: 'timer.retry_due', at: now, dueAt: now });
        }
      }
      expect(now).toBeLessThanOrEqual(CREATED_AT + DAY_MS + MINUTE_MS);
    }),
  );
});

// Helpers

const NOTHING = { what: 'make', heldForMs: SECOND_MS, lastsMs: 0, jitter: 0 } as const;
