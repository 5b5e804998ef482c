import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RETRY_DELAYS_MS } from '../../../machines/index.ts';
import {
  admit,
  BREAKER_RULES,
  type BreakerDecision,
  type BreakerState,
  CLOSED,
  isForgettable,
  type Outcome,
  settle,
} from '../../../src/webhooks/sender/breaker.ts';
import { assertProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';

const { windowMs, minDeliveries, failingRatio, maxSamples, firstPauseMs, longestPauseMs, probeWaitMs } = BREAKER_RULES;
const START = Date.UTC(2026, 10, 21);

/** One step: time passes, then an attempt asks to start, or one in flight ends. */
type Step =
  | { readonly waitMs: number; readonly kind: 'attempt'; readonly deliveryId: string; readonly isRequested: boolean }
  | { readonly waitMs: number; readonly kind: 'end'; readonly which: number; readonly outcome: Outcome };

const waitMs = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 2_000 }),
  fc.integer({ min: 15_000, max: 61_000 }),
  fc.integer({ min: 0, max: longestPauseMs }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    waitMs,
    kind: fc.constant('attempt' as const),
    deliveryId: fc.integer({ min: 1, max: 30 }).map((id) => `dlv_${id}`),
    isRequested: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
  }),
  fc.record({
    waitMs: fc.integer({ min: 0, max: 500 }),
    kind: fc.constant('end' as const),
    which: fc.nat(),
    outcome: fc.constantFrom<Outcome>('failed', 'failed', 'failed', 'failed', 'failed', 'succeeded', 'unknown'),
  }),
);
/** Bursts of failures open the breaker; anything may follow. */
const burst = fc.integer({ min: 0, max: 14 }).map((count) =>
  Array.from({ length: count }, (_, index): Step[] => [
    { waitMs: 0, kind: 'attempt', deliveryId: `dlv_${index}`, isRequested: false },
    { waitMs: 10, kind: 'end', which: 0, outcome: 'failed' },
  ]).flat(),
);
const steps = fc
  .array(fc.oneof({ weight: 1, arbitrary: burst }, { weight: 12, arbitrary: step.map((one) => [one]) }), {
    minLength: 1,
    maxLength: 80,
  })
  .map((parts) => parts.flat());

describe('the circuit breaker of an endpoint', () => {
  test('matches the reference model, for every mix of attempts and outcomes', () => {
    let opened = 0;
    assertProperty(
      fc.property(steps, (all) => {
        const model = createModel();
        const out: { deliveryId: string; verdict: 'go' | 'probe' | 'guest' }[] = [];
        let state: BreakerState = CLOSED;
        let now = START;
        for (const each of all) {
          now += each.waitMs;
          if (each.kind === 'attempt') {
            const [next, verdict] = admit(state, each, now);
            expect(verdict).toEqual(model.admit(each, now));
            if (verdict.kind === 'defer') expect(verdict.until).toBeGreaterThan(now);
            else out.push({ deliveryId: each.deliveryId, verdict: verdict.kind });
            state = next;
          } else {
            const [ended] = out.splice(each.which % Math.max(out.length, 1), 1);
            if (ended === undefined) continue;
            const before = state.kind;
            const [next, retryAt] = settle(state, { ...ended, outcome: each.outcome }, now);
            expect(retryAt).toBe(model.settle({ ...ended, outcome: each.outcome }, now));
            if (before === 'closed' && next.kind === 'open') opened += 1;
            state = next;
          }
          checkShape(state);
        }
      }),
      { numRuns: level.runs(2_000) },
    );
    expect(opened).toBeGreaterThan(level.runs(2_000) / 20);
  });

  test('never holds back fewer deliveries than its minimum, however they fail', () => {
    const few = fc.integer({ min: 1, max: minDeliveries - 1 });
    assertProperty(
      fc.property(few, fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: windowMs }))), (count, attempts) => {
        let state: BreakerState = CLOSED;
        let now = START;
        for (const [which, gapMs] of attempts) {
          now += gapMs;
          const deliveryId = `dlv_${which % count}`;
          expect(admit(state, { deliveryId, isRequested: false }, now)[1]).toEqual({ kind: 'go' });
          [state] = settle(state, { deliveryId, verdict: 'go', outcome: 'failed' }, now);
        }
      }),
    );
  });

  test('lets an attempt pass whose schedule leaves no more time, whatever it holds back', () => {
    assertProperty(
      fc.property(fc.integer({ min: 0, max: longestPauseMs }), fc.boolean(), (laterMs, isRequested) => {
        let state: BreakerState = CLOSED;
        for (let index = 0; index < minDeliveries; index += 1) {
          [state] = settle(state, { deliveryId: `dlv_${index}`, verdict: 'go', outcome: 'failed' }, START);
        }
        expect(state.kind).toBe('open');
        const overdue = { deliveryId: 'dlv_late', isRequested, isOverdue: true };
        expect(admit(state, overdue, START + laterMs)).toEqual([state, { kind: 'go' }]);
      }),
    );
  });

  test('does not change the documented schedule of nine deliveries that fail together', () => {
    let state: BreakerState = CLOSED;
    let now = START;
    for (const delay of [0, ...RETRY_DELAYS_MS]) {
      now += delay;
      for (let index = 1; index < minDeliveries; index += 1) {
        const deliveryId = `dlv_${index}`;
        expect(admit(state, { deliveryId, isRequested: false }, now)[1]).toEqual({ kind: 'go' });
        [state] = settle(state, { deliveryId, verdict: 'go', outcome: 'failed' }, now);
      }
    }
  });

  test('opens when eight of ten deliveries failed within the window, and not at seven', () => {
    const outcomes = (failures: number) =>
      Array.from({ length: 10 }, (_, index) => (index < 10 - failures ? 'succeeded' : 'failed'));
    expect(stateAfter(outcomes(7) as Outcome[]).kind).toBe('closed');
    expect(stateAfter(outcomes(8) as Outcome[]).kind).toBe('open');
  });

  test('pauses 30 s, 1, 2, 4, 8 and then 10 minutes while its probes fail', () => {
    let state = opened();
    const pauses: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      if (state.kind !== 'open') throw new Error('it has closed');
      pauses.push(state.pauseMs / 1_000);
      const at = state.until;
      const [admitted, verdict] = admit(state, { deliveryId: 'dlv_1', isRequested: false }, at);
      expect(verdict).toEqual({ kind: 'probe' });
      [state] = settle(admitted, { deliveryId: 'dlv_1', verdict: 'probe', outcome: 'failed' }, at);
    }
    expect(pauses).toEqual([30, 60, 120, 240, 480, 600, 600]);
  });

  test('closes for good with one success of a probe or of a requested attempt', () => {
    for (const [isRequested, waited] of [
      [false, firstPauseMs],
      [true, 0],
    ] as const) {
      const now = START + waited;
      const [admitted, verdict] = admit(opened(), { deliveryId: 'dlv_x', isRequested }, now);
      expect(verdict).toEqual({ kind: isRequested ? 'guest' : 'probe' });
      const done = { deliveryId: 'dlv_x', verdict: isRequested ? 'guest' : 'probe', outcome: 'succeeded' } as const;
      const [closed] = settle(admitted, done, now);
      expect(closed).toEqual(CLOSED);
      expect(admit(closed, { deliveryId: 'dlv_y', isRequested: false }, now)[1]).toEqual({ kind: 'go' });
    }
  });

  test('releases one delivery when the pause is over, and the others when its outcome is known', () => {
    const [first, one] = admit(opened(), { deliveryId: 'dlv_a', isRequested: false }, START);
    const [, other] = admit(first, { deliveryId: 'dlv_b', isRequested: false }, START);
    expect(one).toEqual({ kind: 'defer', until: START + firstPauseMs });
    expect(other).toEqual({ kind: 'defer', until: START + firstPauseMs + probeWaitMs });
  });

  test('is deleted only when it stores nothing that counts', () => {
    const [noted] = settle(CLOSED, { deliveryId: 'dlv_1', verdict: 'go', outcome: 'failed' }, START);
    expect(isForgettable(CLOSED, START)).toBe(true);
    expect(isForgettable(noted, START + windowMs - 1)).toBe(false);
    expect(isForgettable(noted, START + windowMs)).toBe(true);
    expect(isForgettable(opened(), START + firstPauseMs + longestPauseMs)).toBe(false);
    expect(isForgettable(opened(), START + firstPauseMs + 6 * longestPauseMs + 1)).toBe(true);
  });
});

// Helpers

function stateAfter(outcomes: readonly Outcome[]): BreakerState {
  return outcomes.reduce<BreakerState>((state, outcome, index) => {
    return settle(state, { deliveryId: `dlv_${index}`, verdict: 'go', outcome }, START)[0];
  }, CLOSED);
}

function opened(): BreakerState {
  return stateAfter(Array.from({ length: minDeliveries }, () => 'failed'));
}

function checkShape(state: BreakerState): void {
  if (state.kind === 'closed') expect(state.samples.length).toBeLessThanOrEqual(maxSamples);
  else expect([30, 60, 120, 240, 480, 600]).toContain(state.pauseMs / 1_000);
}

/**
 * The same guarantee, implemented differently: keeps every outcome and recounts each time, and
 * stores the times of the open phase as they are specified.
 */
function createModel() {
  let history: { deliveryId: string; at: number; failed: boolean }[] = [];
  let heldBackUntil: number | null = null;
  let failedProbes = 0;
  let prober: string | null = null;
  let probeLeft = 0;
  let isSomebodyAskedBack = false;

  const pause = () => Math.min(firstPauseMs * 2 ** failedProbes, longestPauseMs);
  const probeIsKnown = (now: number) => Math.max(probeLeft + probeWaitMs, now + 1_000);

  function close(): null {
    [history, heldBackUntil, failedProbes, prober, isSomebodyAskedBack] = [[], null, 0, null, false];
    return null;
  }

  function isFailing(now: number): boolean {
    const newest = new Map<string, boolean>();
    for (const { deliveryId, at, failed } of history) {
      newest.delete(deliveryId);
      if (at > now - windowMs) newest.set(deliveryId, failed);
    }
    const remembered = [...newest.values()].slice(-maxSamples);
    const failures = remembered.filter(Boolean).length;
    return remembered.length >= minDeliveries && failures / remembered.length >= failingRatio;
  }

  return {
    admit({ deliveryId, isRequested }: { deliveryId: string; isRequested: boolean }, now: number): BreakerDecision {
      if (heldBackUntil === null) return { kind: 'go' };
      if (prober === null && heldBackUntil <= now) {
        [prober, probeLeft] = [deliveryId, now];
        return { kind: 'probe' };
      }
      if (isRequested) return { kind: 'guest' };
      if (prober !== null) return { kind: 'defer', until: probeIsKnown(now) };
      const until = isSomebodyAskedBack ? heldBackUntil + probeWaitMs : heldBackUntil;
      isSomebodyAskedBack = true;
      return { kind: 'defer', until };
    },

    settle(ended: { deliveryId: string; verdict: 'go' | 'probe' | 'guest'; outcome: Outcome }, now: number) {
      const { deliveryId, verdict, outcome } = ended;
      if (heldBackUntil === null) {
        if (outcome === 'unknown') return null;
        history.push({ deliveryId, at: now, failed: outcome === 'failed' });
        if (outcome === 'failed' && isFailing(now)) heldBackUntil = now + pause();
        return null;
      }
      if (verdict === 'go') return null;
      if (outcome === 'succeeded') return close();
      const isTheProbe = verdict === 'probe' && deliveryId === prober;
      if (outcome === 'unknown') {
        if (isTheProbe) [prober, isSomebodyAskedBack] = [null, false];
        return null;
      }
      if (!isTheProbe && prober !== null) return probeIsKnown(now);
      if (!isTheProbe && now < heldBackUntil) return heldBackUntil;
      failedProbes += 1;
      [prober, isSomebodyAskedBack, heldBackUntil] = [null, true, now + pause()];
      return heldBackUntil;
    },
  };
}
