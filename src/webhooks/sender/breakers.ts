import type { UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
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

/** The breakers of all endpoints, in the memory of this process; processes do not share them. */
export interface Breakers {
  /** Until when an attempt must be deferred; null when it may be sent. */
  deferral(endpointId: string, candidate: Candidate): UnixMs | null;
  /** Admits an attempt, or returns until when it must be deferred. */
  enter(endpointId: string, candidate: Candidate): SendPermit | UnixMs;
  isOpen(endpointId: string): boolean;
  reset(endpointId: string): void;
  /** Number of endpoints with a stored state. */
  readonly size: number;
}

/** Permission to send one attempt; must be settled once. */
export interface SendPermit {
  /** The endpoint is held back, and this attempt is sent anyway. */
  readonly isProbe: boolean;
  /**
   * Records the outcome. `retryAt` is when to try again after a failure that does not count against
   * the delivery, else null. `hasOpened` means that the endpoint is held back from now on.
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
    // Once per window is enough: the map is bounded by the endpoints tried within two windows.
    if (now < cleanAt) return;
    cleanAt = now + rules.windowMs;
    for (const [id, each] of states) if (isForgettable(each, now, rules)) states.delete(id);
  }

  const stateOf = (endpointId: string) => states.get(endpointId) ?? CLOSED;

  return {
    deferral(endpointId, candidate) {
      const [next, verdict] = admit(stateOf(endpointId), candidate, clock.now(), rules);
      // Only a deferral changes the state here: an attempt that may be sent still needs a slot.
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

/** Settles a permit once: the first outcome counts. */
export function settleOnce(permit: SendPermit): SendPermit['settle'] {
  let settled: ReturnType<SendPermit['settle']> | undefined;
  return (outcome) => {
    settled ??= permit.settle(outcome);
    return settled;
  };
}
