import type { Outcome } from '../attempt.ts';
import type { BusHandler, BusMessage } from '../port.ts';
import { createFifo } from './fifo.ts';

/** One partition of one queue: messages wait in publish order until a subscriber has capacity. */
export interface Lane {
  put(entry: Entry): void;
  join(taker: Taker): void;
  leave(taker: Taker): void;
  /**
   * Rejects all messages that are not being handled, and any that a running handler leaves
   * unsettled.
   */
  abandon(error: Error): void;
}

/** A published message with the callbacks that settle its `publish` promise. */
export interface Entry {
  readonly message: BusMessage;
  /** The data as JSON text; every delivery parses its own copy. */
  readonly text: string;
  attempts: number;
  /** Unexpected handler errors so far. */
  failures: number;
  resolve(): void;
  reject(error: Error): void;
}

/** One subscription's consumer of this lane. */
export interface Taker {
  readonly handle: BusHandler;
  readonly maxInFlight: number;
  /** Messages in flight: being handled, or waiting for their retry. */
  inFlight: number;
  /** Deliveries that are being handled. */
  readonly running: Set<Promise<void>>;
}

/** Creates a lane. `run` performs one delivery and must not reject. */
export function createLane(run: (entry: Entry, handle: BusHandler) => Promise<Outcome>): Lane {
  const waiting = createFifo<Entry>();
  const retrying = new Map<Entry, NodeJS.Timeout>();
  const takers: Taker[] = [];
  let abandonedWith: Error | undefined;

  function pump(): void {
    while (waiting.length > 0) {
      const index = takers.findIndex((taker) => taker.inFlight < taker.maxInFlight);
      const [taker] = index < 0 ? [] : takers.splice(index, 1);
      if (taker === undefined) return;
      takers.push(taker); // Round robin over the takers.
      const entry = waiting.shift();
      if (entry === undefined) return;
      taker.inFlight += 1;
      // Deferred by a microtask, so that a handler that publishes does not run nested inside its
      // own delivery.
      const running: Promise<void> = Promise.resolve()
        .then(() => run(entry, taker.handle))
        .then((outcome) => {
          taker.running.delete(running);
          finish(entry, taker, outcome);
        });
      taker.running.add(running);
    }
  }

  function finish(entry: Entry, taker: Taker, outcome: Outcome): void {
    if (outcome.kind === 'settled') {
      entry.resolve();
      release(taker);
      return;
    }
    if (abandonedWith !== undefined) {
      entry.reject(abandonedWith);
      return;
    }
    entry.failures = outcome.failures;
    // A message that waits for its retry stays in flight, like an unacknowledged message at a
    // broker.
    const timer = setTimeout(() => {
      retrying.delete(entry);
      waiting.unshift(entry);
      release(taker);
    }, outcome.afterMs);
    retrying.set(entry, timer);
  }

  function release(taker: Taker): void {
    taker.inFlight -= 1;
    pump();
  }

  return {
    put(entry) {
      waiting.push(entry);
      pump();
    },
    join(taker) {
      takers.push(taker);
      pump();
    },
    leave(taker) {
      const index = takers.indexOf(taker);
      if (index >= 0) takers.splice(index, 1);
    },
    abandon(error) {
      abandonedWith = error;
      takers.length = 0;
      for (const [entry, timer] of retrying) {
        clearTimeout(timer);
        entry.reject(error);
      }
      retrying.clear();
      for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) entry.reject(error);
    },
  };
}
