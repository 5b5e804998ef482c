import type { Queue } from './port.ts';

/** Told what becomes of messages that are handed out. Called in the middle of the work: quick, and it must not throw. */
export interface BusObserver {
  /**
   * A handler is done with a hand-out. `again`: it asked for the message later; `failed`: an unexpected error, after which the
   * message comes again or is set aside; `refused`: it will never take the message.
   */
  handedOut(handOut: { queue: Queue; outcome: HandOutOutcome; durationMs: number }): void;
  /** A message became a dead letter. */
  buried(queue: Queue): void;
}

export type HandOutOutcome = 'handled' | 'again' | 'failed' | 'refused';
