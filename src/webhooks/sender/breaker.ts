import { MINUTE_MS, SECOND_MS, type UnixMs } from '../../../machines/index.ts';

/**
 * A circuit breaker for one endpoint, as pure functions over plain data. Closed, it lets every attempt go and
 * remembers how deliveries fared. When nearly all of many have failed within a short time, it opens: attempts are
 * deferred instead of sent. After a pause one attempt goes as a probe. If that fails, the next pause is twice as long; if
 * it succeeds, the breaker closes.
 */
export type BreakerState = Closed | Open;

interface Closed {
  readonly kind: 'closed';
  /** How each delivery fared that was tried lately: its newest outcome, oldest first. */
  readonly samples: readonly Sample[];
}

interface Open {
  readonly kind: 'open';
  /** No probe before this. */
  readonly until: UnixMs;
  readonly pauseMs: number;
  /** The probe that is out. */
  readonly probe: { readonly deliveryId: string; readonly since: UnixMs } | null;
  /** A delivery was told to come at `until`, so others need not come before its outcome is known. */
  readonly hasProber: boolean;
}

interface Sample {
  readonly deliveryId: string;
  readonly at: UnixMs;
  readonly isFailure: boolean;
}

export interface BreakerRules {
  /** How long an outcome counts, in ms. */
  readonly windowMs: number;
  /** Deliveries, not attempts: one delivery alone never opens the breaker, however often it is tried. */
  readonly minDeliveries: number;
  /** Part of them that must have failed. */
  readonly failingRatio: number;
  /** Deliveries remembered at most. */
  readonly maxSamples: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Time to give a probe before the others come to see what became of it, in ms. */
  readonly probeWaitMs: number;
}

/** Whether an endpoint with few waiting deliveries is held back at all is for the sender to decide. */
export const BREAKER_RULES: BreakerRules = {
  windowMs: MINUTE_MS,
  minDeliveries: 10,
  failingRatio: 0.8,
  maxSamples: 50,
  firstPauseMs: 30 * SECOND_MS,
  longestPauseMs: 10 * MINUTE_MS,
  probeWaitMs: 20 * SECOND_MS,
};

export const CLOSED: BreakerState = { kind: 'closed', samples: [] };

/** An attempt that wants to go. A requested one has somebody waiting for it. */
export interface Candidate {
  readonly deliveryId: string;
  readonly isRequested: boolean;
  /** Goes like any other, whatever the state: its delivery has no more time to wait. */
  readonly isOverdue?: boolean;
}

/**
 * - go     as it is: the breaker is closed
 * - probe  the one attempt that finds out whether the endpoint is back
 * - guest  requested, so it goes although the breaker is open; its success closes the breaker as well
 * - defer  not before `until`, which lies ahead
 */
export type Verdict =
  | { readonly kind: 'go' }
  | { readonly kind: 'probe' }
  | { readonly kind: 'guest' }
  | { readonly kind: 'defer'; readonly until: UnixMs };

/** Decides about an attempt before it is sent. A probe must be settled, whatever becomes of it. */
export function admit(
  state: BreakerState,
  { deliveryId, isRequested, isOverdue = false }: Candidate,
  now: UnixMs,
  rules: BreakerRules = BREAKER_RULES,
): [BreakerState, Verdict] {
  if (state.kind === 'closed' || isOverdue) return [state, { kind: 'go' }];
  const { until, probe, hasProber } = state;
  if (now >= until && probe === null) return [{ ...state, probe: { deliveryId, since: now } }, { kind: 'probe' }];
  if (isRequested) return [state, { kind: 'guest' }];
  if (probe !== null) return [state, { kind: 'defer', until: afterProbe(probe.since, now, rules) }];
  if (hasProber) return [state, { kind: 'defer', until: until + rules.probeWaitMs }];
  return [
    { ...state, hasProber: true },
    { kind: 'defer', until },
  ];
}

/** How an admitted attempt ended. Unknown when it was not made, or says nothing about the endpoint. */
export type Outcome = 'succeeded' | 'failed' | 'unknown';

/**
 * Notes an outcome. With it comes, for a failure that is not held against its delivery because the attempt was made while
 * the endpoint was held back, when that delivery may try again; otherwise null.
 */
export function settle(
  state: BreakerState,
  { deliveryId, verdict, outcome }: { deliveryId: string; verdict: 'go' | 'probe' | 'guest'; outcome: Outcome },
  now: UnixMs,
  rules: BreakerRules = BREAKER_RULES,
): [BreakerState, UnixMs | null] {
  if (state.kind === 'closed') {
    return [
      outcome === 'unknown' ? state : noted(state, { deliveryId, at: now, isFailure: outcome === 'failed' }, rules),
      null,
    ];
  }
  // What was sent before the breaker opened tells nothing new.
  if (verdict === 'go') return [state, null];
  if (outcome === 'succeeded') return [CLOSED, null];
  const isProbe = verdict === 'probe' && state.probe?.deliveryId === deliveryId;
  if (outcome === 'unknown') return [isProbe ? { ...state, probe: null, hasProber: false } : state, null];
  // A guest that fails when the pause is over and nobody probes has been the probe.
  if (isProbe || (now >= state.until && state.probe === null)) {
    const pauseMs = Math.min(state.pauseMs * 2, rules.longestPauseMs);
    const until = now + pauseMs;
    return [{ kind: 'open', until, pauseMs, probe: null, hasProber: true }, until];
  }
  return [state, state.probe === null ? state.until : afterProbe(state.probe.since, now, rules)];
}

/** Whether forgetting the state changes nothing that matters: closed without recent outcomes, or long without attempts. */
export function isForgettable(state: BreakerState, now: UnixMs, rules: BreakerRules = BREAKER_RULES): boolean {
  if (state.kind === 'closed') return state.samples.every(({ at }) => at <= now - rules.windowMs);
  return now > state.until + FORGET_OPEN_AFTER_PAUSES * rules.longestPauseMs;
}

// Helpers

const FORGET_OPEN_AFTER_PAUSES = 6;
/** A deferral always lies ahead, also behind a probe that takes longer than expected. */
const SHORTEST_DEFERRAL_MS = SECOND_MS;

function afterProbe(since: UnixMs, now: UnixMs, { probeWaitMs }: BreakerRules): UnixMs {
  return Math.max(since + probeWaitMs, now + SHORTEST_DEFERRAL_MS);
}

function noted({ samples }: Closed, sample: Sample, rules: BreakerRules): BreakerState {
  const recent = samples.filter(
    ({ at, deliveryId }) => at > sample.at - rules.windowMs && deliveryId !== sample.deliveryId,
  );
  const all = [...recent, sample].slice(-rules.maxSamples);
  const failures = all.filter(({ isFailure }) => isFailure).length;
  const isFailing = all.length >= rules.minDeliveries && failures >= all.length * rules.failingRatio;
  if (!sample.isFailure || !isFailing) return { kind: 'closed', samples: all };
  const pauseMs = rules.firstPauseMs;
  return { kind: 'open', until: sample.at + pauseMs, pauseMs, probe: null, hasProber: false };
}
