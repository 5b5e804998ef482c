import type { Queue } from './port.ts';

/**
 * Observes deliveries. Called synchronously while messages are handled: it must be fast and must
 * not throw.
 */
export interface BusObserver {
  /**
   * A handler has finished one delivery. `retry`: it requested a retry; `failed`: an unexpected
   * error, after which the message is redelivered or dead-lettered; `rejected`: a terminal error.
   */
  processed(delivery: { queue: Queue; outcome: ProcessingOutcome; durationMs: number }): void;
  /** A message became a dead letter. */
  deadLettered(queue: Queue): void;
}

export type ProcessingOutcome = 'handled' | 'retry' | 'failed' | 'rejected';
