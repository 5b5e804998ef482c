export interface SenderLimits {
  /** Timeout of one attempt, from the DNS query to the end of the response, in ms. */
  readonly timeoutMs: number;
  /**
   * Concurrent attempts to one endpoint, per process: the slower it responds, the fewer. And across
   * all endpoints, beyond which an endpoint gets its minimum.
   */
  readonly minInFlightPerEndpoint: number;
  readonly maxInFlightPerEndpoint: number;
  readonly maxInFlight: number;
  /**
   * Concurrent attempts in addition to those, so that slow attempts do not delay a retry: per
   * endpoint, and across all endpoints, per process.
   */
  readonly maxExtraPerEndpoint: number;
  readonly maxExtra: number;
  /**
   * An endpoint with at most this many unfinished deliveries is never paused: each attempt is sent
   * when due.
   */
  readonly maxUnpausedBacklog: number;
  /** Attempts that wait in memory for a slot of their endpoint, per process. */
  readonly maxWaiting: number;
  /**
   * Pause after a fault of this machine (such as no network), in ms, and the maximum number of such
   * faults before the attempt counts as failed.
   */
  readonly localFaultPauseMs: number;
  readonly maxLocalFaults: number;
  /** How long running POSTs may take to finish on shutdown, in ms. */
  readonly closeGraceMs: number;
  /**
   * How long a claim on an attempt lasts unless it is renewed, in ms; at least twice `timeoutMs`.
   * An attempt in progress in a process that died is sent again after this time. A process that
   * stalls for less sends nothing twice.
   */
  readonly claimMs: number;
  /**
   * How long the database must have responded before first attempts without a claim are handed
   * over, in ms: by then a sender that holds one has reported it, or renewed its claim.
   */
  readonly settledAfterMs: number;
}

/**
 * Merchants must respond within 10 s; slightly slower responses are still accepted. A stopping
 * process waits those 10 s: another process repeats an interrupted attempt, which the merchant may
 * already have received.
 */
export const SENDER_LIMITS: SenderLimits = {
  timeoutMs: 15_000,
  minInFlightPerEndpoint: 4,
  maxInFlightPerEndpoint: 64,
  maxInFlight: 1_000,
  maxExtraPerEndpoint: 500,
  maxExtra: 2_000,
  maxUnpausedBacklog: 500,
  maxWaiting: 10_000,
  localFaultPauseMs: 5_000,
  maxLocalFaults: 12,
  closeGraceMs: 10_000,
  claimMs: 30_000,
  settledAfterMs: 10_000,
};
