import type { Clock } from '../../src/platform/clock.ts';

/** A clock that only moves when it is advanced. */
export interface TestClock extends Clock {
  advance(byMs: number): void;
  /** Calls `listener` after each advance. Returns a function that unsubscribes. */
  onAdvance(listener: () => void): () => void;
}

/** 21 November 2026, 10:00 UTC. */
export const START_MS = Date.UTC(2026, 10, 21, 10);

export function createTestClock(startMs = START_MS): TestClock {
  let nowMs = startMs;
  const listeners = new Set<() => void>();
  return {
    now: () => nowMs,
    advance(byMs) {
      nowMs += byMs;
      for (const listener of listeners) listener();
    },
    onAdvance(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function isTestClock(clock: Clock): clock is TestClock {
  return 'onAdvance' in clock;
}
