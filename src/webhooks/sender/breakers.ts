import type { UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../clock.ts';
import {
  admit,
  BREAKER_RULES,
  type BreakerRules,
  type BreakerState,
  type Candidate,
  CLOSED,
  isForgettable,
  type Outcome,
  settle,
} from './breaker.ts';

/** The breakers of all endpoints, in the memory of this process: each process finds out by itself. */
export interface Breakers {
  /** When an attempt may be tried that must not go now; null when it may go. */
  deferral(endpointId: string, candidate: Candidate): UnixMs | null;
  /** Lets an attempt go at this moment, or says when it may be tried. */
  enter(endpointId: string, candidate: Candidate): Turn | UnixMs;
  isOpen(endpointId: string): boolean;
  /** Forgets how the endpoint has fared. */
  reset(endpointId: string): void;
  /** Endpoints something is remembered of. */
  readonly size: number;
}

/** Leave to send one attempt; to be settled once. */
export interface Turn {
  /** The endpoint is held back, and is tried all the same. */
  readonly isProbe: boolean;
  /**
   * Notes how it ended. `retryAt` is when to try again after a failure that is not held against the delivery; null for
   * all others. `hasOpened` tells that the endpoint is held back from now on.
   */
  settle(outcome: Outcome): { readonly retryAt: UnixMs | null; readonly hasOpened: boolean };
}

export function createBreakers({ clock, rules = BREAKER_RULES }: { clock: Clock; rules?: BreakerRules }): Breakers {
  const states = new Map<string, BreakerState>();
  let cleanAt = 0;

  function keep(endpointId: string, state: BreakerState): void {
    const now = clock.now();
    if (isForgettable(state, now, rules)) states.delete(endpointId);
    else states.set(endpointId, state);
    // Once a window is often enough: what is kept is bounded by the endpoints that were tried in two.
    if (now < cleanAt) return;
    cleanAt = now + rules.windowMs;
    for (const [id, each] of states) if (isForgettable(each, now, rules)) states.delete(id);
  }

  const stateOf = (endpointId: string) => states.get(endpointId) ?? CLOSED;

  return {
    deferral(endpointId, candidate) {
      const [next, verdict] = admit(stateOf(endpointId), candidate, clock.now(), rules);
      // Only a deferral is final: an attempt that may go has yet to find a place.
      if (verdict.kind !== 'defer') return null;
      keep(endpointId, next);
      return verdict.until;
    },

    enter(endpointId, candidate) {
      const [admitted, verdict] = admit(stateOf(endpointId), candidate, clock.now(), rules);
      keep(endpointId, admitted);
      if (verdict.kind === 'defer') return verdict.until;
      return {
        isProbe: verdict.kind !== 'go',
        settle(outcome) {
          const before = stateOf(endpointId);
          const ended = { deliveryId: candidate.deliveryId, verdict: verdict.kind, outcome };
          const [after, retryAt] = settle(before, ended, clock.now(), rules);
          keep(endpointId, after);
          return { retryAt, hasOpened: before.kind === 'closed' && after.kind === 'open' };
        },
      };
    },

    isOpen: (endpointId) => stateOf(endpointId).kind === 'open',
    reset: (endpointId) => void states.delete(endpointId),

    get size() {
      return states.size;
    },
  };
}
