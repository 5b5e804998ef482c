export interface SenderLimits {
  /** One attempt, from the DNS query to the end of the answer, in ms. */
  readonly timeoutMs: number;
  /** Attempts to one endpoint at the same time, per process. */
  readonly maxInFlightPerEndpoint: number;
  /** Attempts that wait in memory for a place of their endpoint, per process. */
  readonly maxParked: number;
  /** Pause after finding this machine without a network, in ms, and how often before the attempt is charged after all. */
  readonly ownFaultPauseMs: number;
  readonly maxOwnFaults: number;
  /** On closing, POSTs that run may end by themselves for this long, in ms. */
  readonly closeGraceMs: number;
}

/** Merchants are told to answer within 10 s; whoever takes a little longer is still heard. */
export const SENDER_LIMITS: SenderLimits = {
  timeoutMs: 15_000,
  maxInFlightPerEndpoint: 4,
  maxParked: 10_000,
  ownFaultPauseMs: 5_000,
  maxOwnFaults: 12,
  closeGraceMs: 5_000,
};
