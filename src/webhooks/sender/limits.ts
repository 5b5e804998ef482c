export interface SenderLimits {
  /** One attempt, from the DNS query to the end of the answer, in ms. */
  readonly timeoutMs: number;
  /** Attempts to one endpoint at the same time, per process. */
  readonly maxInFlightPerEndpoint: number;
  /**
   * Attempts beyond those that may run at the same time, so that a retry is not late because others take long: per endpoint, and
   * over all endpoints, per process.
   */
  readonly maxExtraPerEndpoint: number;
  readonly maxExtra: number;
  /** An endpoint with no more waiting deliveries than this is never held back: each attempt is made when it is due. */
  readonly maxPunctual: number;
  /** Attempts that wait in memory for a place of their endpoint, per process. */
  readonly maxParked: number;
  /** Pause after finding this machine without a network, in ms, and how often before the attempt is charged after all. */
  readonly ownFaultPauseMs: number;
  readonly maxOwnFaults: number;
  /** On closing, POSTs that run may end by themselves for this long, in ms. */
  readonly closeGraceMs: number;
  /**
   * How long an attempt belongs to its sender, in ms, unless that makes it last longer; twice `timeoutMs` at least. What was under
   * way in a process that died is made again so much later. A process that stands still for less sends nothing twice.
   */
  readonly claimMs: number;
}

/**
 * Merchants are told to answer within 10 s; whoever takes a little longer is still heard. A process that stops waits those 10 s:
 * an attempt that is cut off is made again by another process, and the merchant may have taken it already.
 */
export const SENDER_LIMITS: SenderLimits = {
  timeoutMs: 15_000,
  maxInFlightPerEndpoint: 4,
  maxExtraPerEndpoint: 500,
  maxExtra: 2_000,
  maxPunctual: 500,
  maxParked: 10_000,
  ownFaultPauseMs: 5_000,
  maxOwnFaults: 12,
  closeGraceMs: 10_000,
  claimMs: 30_000,
};
