import type { Outcome } from '../attempt.ts';
import type { BusHandler, BusMessage } from '../port.ts';
import { createFifo } from './fifo.ts';

/** One partition of one queue: messages wait in publish order until a subscriber has capacity. */
export interface PartitionQueue {
  put(entry: Entry): void;
  join(consumer: Consumer): void;
  leave(consumer: Consumer): void;
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

/** One subscription's consumer of this partition. */
export interface Consumer {
  readonly handle: BusHandler;
  readonly maxInFlight: number;
  /** Messages in flight: being handled, or waiting for their retry. */
  inFlight: number;
  /** Deliveries that are being handled. */
  readonly running: Set<Promise<void>>;
}

/** Creates a partition queue. `run` performs one delivery and must not reject. */
export function createPartitionQueue(run: (entry: Entry, handle: BusHandler) => Promise<Outcome>): PartitionQueue {
  const waiting = createFifo<Entry>();
  const retrying = new Map<Entry, NodeJS.Timeout>();
  const consumers: Consumer[] = [];
  let abandonedWith: Error | undefined;

  function pump(): void {
    while (waiting.length > 0) {
      const index = consumers.findIndex((consumer) => consumer.inFlight < consumer.maxInFlight);
      const [consumer] = index < 0 ? [] : consumers.splice(index, 1);
      if (consumer === undefined) return;
      consumers.push(consumer); // Round robin over the consumers.
      const entry = waiting.shift();
      if (entry === undefined) return;
      consumer.inFlight += 1;
      // Deferred by a microtask, so that a handler that publishes does not run nested inside its
      // own delivery.
      const running: Promise<void> = Promise.resolve()
        .then(() => run(entry, consumer.handle))
        .then((outcome) => {
          consumer.running.delete(running);
          finish(entry, consumer, outcome);
        });
      consumer.running.add(running);
    }
  }

  function finish(entry: Entry, consumer: Consumer, outcome: Outcome): void {
    if (outcome.kind === 'settled') {
      entry.resolve();
      release(consumer);
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
      release(consumer);
    }, outcome.afterMs);
    retrying.set(entry, timer);
  }

  function release(consumer: Consumer): void {
    consumer.inFlight -= 1;
    pump();
  }

  return {
    put(entry) {
      waiting.push(entry);
      pump();
    },
    join(consumer) {
      consumers.push(consumer);
      pump();
    },
    leave(consumer) {
      const index = consumers.indexOf(consumer);
      if (index >= 0) consumers.splice(index, 1);
    },
    abandon(error) {
      abandonedWith = error;
      consumers.length = 0;
      for (const [entry, timer] of retrying) {
        clearTimeout(timer);
        entry.reject(error);
      }
      retrying.clear();
      for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) entry.reject(error);
    },
  };
}
