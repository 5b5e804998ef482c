import { MINUTE_MS, SECOND_MS, type UnixMs } from '../../../machines/index.ts';

/**
 * A circuit breaker for one endpoint, as pure functions over plain data. While closed it lets every
 * attempt through and records the outcome per delivery. When nearly all of many deliveries fail
 * within a short time it opens: attempts are deferred instead of sent. After a pause one attempt is
 * sent as a probe. If it fails, the next pause is twice as long; if it succeeds, the breaker
 * closes.
 */
export type BreakerState = Closed | Open;

interface Closed {
  readonly kind: 'closed';
  /** The newest outcome of each recently tried delivery, oldest first. */
  readonly samples: readonly Sample[];
}

interface Open {
  readonly kind: 'open';
  /** No probe before this time. */
  readonly until: UnixMs;
  readonly pauseMs: number;
  readonly probe: { readonly deliveryId: string; readonly since: UnixMs } | null;
  /**
   * A delivery was deferred to `until` and will be the probe, so others can wait for its outcome.
   */
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
  /**
   * Counts deliveries, not attempts: a single delivery, however often tried, never opens the
   * breaker.
   */
  readonly minDeliveries: number;
  /** Share of them that must have failed. */
  readonly failingRatio: number;
  /** Maximum number of deliveries remembered. */
  readonly maxSamples: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** How long the others wait for the outcome of a probe, in ms. */
  readonly probeWaitMs: number;
}

/** The sender decides whether an endpoint with few waiting deliveries is held back at all. */
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

/** An attempt to be admitted. `isRequested`: explicitly requested. */
export interface Candidate {
  readonly deliveryId: string;
  readonly isRequested: boolean;
  /** Always admitted: its delivery has no more time to wait. */
  readonly isOverdue?: boolean;
}

/**
 * - go     the breaker is closed, or the attempt is overdue
 * - probe  the one attempt that tests whether the endpoint has recovered
 * - guest  explicitly requested, so sent although the breaker is open; its success also closes it
 * - defer  not before `until`, which is in the future
 */
export type BreakerDecision =
  | { readonly kind: 'go' }
  | { readonly kind: 'probe' }
  | { readonly kind: 'guest' }
  | { readonly kind: 'defer'; readonly until: UnixMs };

/**
 * Decides whether an attempt may be sent. An admitted probe must be settled, regardless of its
 * outcome.
 */
export function admit(
  state: BreakerState,
  { deliveryId, isRequested, isOverdue = false }: Candidate,
  now: UnixMs,
  rules: BreakerRules = BREAKER_RULES,
): [BreakerState, BreakerDecision] {
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

/**
 * Outcome of an admitted attempt; `unknown` if it was not sent or says nothing about the endpoint.
 */
export type Outcome = 'succeeded' | 'failed' | 'unknown';

/**
 * Records an outcome. The second value is set for a failure that does not count against the
 * delivery because the attempt was sent while deliveries to the endpoint were paused: when that
 * delivery may try again; null otherwise.
 */
export function settle(
  state: BreakerState,
  { deliveryId, verdict, outcome }: { deliveryId: string; verdict: 'go' | 'probe' | 'guest'; outcome: Outcome },
  now: UnixMs,
  rules: BreakerRules = BREAKER_RULES,
): [BreakerState, UnixMs | null] {
  if (state.kind === 'closed') {
    return [
      outcome === 'unknown'
        ? state
        : withSample(state, { deliveryId, at: now, isFailure: outcome === 'failed' }, rules),
      null,
    ];
  }
  // Attempts sent before the breaker opened add no information.
  if (verdict === 'go') return [state, null];
  if (outcome === 'succeeded') return [CLOSED, null];
  const isProbe = verdict === 'probe' && state.probe?.deliveryId === deliveryId;
  if (outcome === 'unknown') return [isProbe ? { ...state, probe: null, hasProber: false } : state, null];
  // A guest that fails after the pause while no probe is in progress counts as the probe.
  if (isProbe || (now >= state.until && state.probe === null)) {
    const pauseMs = Math.min(state.pauseMs * 2, rules.longestPauseMs);
    const until = now + pauseMs;
    return [{ kind: 'open', until, pauseMs, probe: null, hasProber: true }, until];
  }
  return [state, state.probe === null ? state.until : afterProbe(state.probe.since, now, rules)];
}

/**
 * Whether the state can be dropped without effect: closed without recent outcomes, or open without
 * attempts for a long time.
 */
export function isForgettable(state: BreakerState, now: UnixMs, rules: BreakerRules = BREAKER_RULES): boolean {
  if (state.kind === 'closed') return state.samples.every(({ at }) => at <= now - rules.windowMs);
  return now > state.until + FORGET_OPEN_AFTER_PAUSES * rules.longestPauseMs;
}

// Helpers

const FORGET_OPEN_AFTER_PAUSES = 6;
/** A deferral is always in the future, even if a probe takes longer than expected. */
const MIN_DEFERRAL_MS = SECOND_MS;

function afterProbe(since: UnixMs, now: UnixMs, { probeWaitMs }: BreakerRules): UnixMs {
  return Math.max(since + probeWaitMs, now + MIN_DEFERRAL_MS);
}

function withSample({ samples }: Closed, sample: Sample, rules: BreakerRules): BreakerState {
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
