/**
 * The bus carries messages between processes; the database is the truth. A message is addressed to a
 * *queue* and a *partition* of it: one partition is handed out in publish order, different
 * partitions in parallel. Delivery is at least once; a receiver drops what it has seen by id.
 */
export interface Bus {
  /**
   * Resolves when losing this process can no longer lose the message: the broker has stored it (NATS), or, for
   * the in-process bus, a handler has settled it. Rejects with `RetryableError` when that cannot be
   * promised now; the caller still owns the message then. Rejects with `TerminalError` what can never be
   * carried: data that is not JSON, or more of it than the broker takes.
   */
  publish(message: BusMessage): Promise<void>;
  /**
   * Starts handing out messages of a queue. Resolves when the subscription is live, or when the broker is known to
   * be unreachable: the subscription then comes alive by itself, now and after every later outage.
   */
  subscribe(options: SubscribeOptions, handle: BusHandler): Promise<Subscription>;
  /** Whether the broker can be reached right now. Never throws. */
  isHealthy(): Promise<boolean>;
  /** Stops every subscription, with the same patience; closes connections. */
  close(patienceMs?: number): Promise<void>;
}

export interface BusMessage {
  readonly queue: Queue;
  /** 0 … PARTITIONS-1; messages of one key share one. See `partitionOf`. */
  readonly partition: number;
  /**
   * Stable across retries and unlike any other message's, whatever the queue: the broker drops a second publish of
   * the same id within its window.
   */
  readonly id: string;
  /** Any JSON value. */
  readonly data: unknown;
  /** On whose behalf it is sent, as `carriedWork` tells; the work that publishes it when left out. Goes beside the data. */
  readonly trace?: string | null;
}

/** `actor` carries events to actors; each effect that leaves the process has a queue of its own. */
export type Queue = string;

export interface SubscribeOptions {
  readonly queue: Queue;
  /**
   * How many messages of one partition may be out at once, over all processes; handed out in order all the same. A
   * message that waits for its retry counts. So with 1 the order is strict, retries included; with more, others
   * pass a message that waits, until as many wait as may be out.
   */
  readonly maxInFlightPerPartition: number;
  readonly partitions?: readonly number[];
}

/**
 * Settles one message. Resolving acknowledges it. Rejecting with `RetryableError` hands it out again after
 * its delay, for ever. Rejecting with `TerminalError`, or with anything else `MAX_HANDLER_FAILURES` times,
 * gives it to the dead-letter port first and then acknowledges it.
 */
export type BusHandler = (message: ReceivedMessage) => Promise<void>;

export interface ReceivedMessage extends BusMessage {
  /** 1 on the first hand-out. */
  readonly attempt: number;
}

export interface Subscription {
  /**
   * Stops taking messages and resolves when the handlers that run have settled. What was already on its way here is handed
   * back, to be handed out to others at once. The same happens to messages whose handlers still run after `patienceMs`
   * (for ever when left out): these may be handled twice, which receivers must bear anyway.
   */
  stop(patienceMs?: number): Promise<void>;
}

/** Where a message goes that no handler can take. Must have stored it when it resolves. */
export type DeadLetterPort = (message: BusMessage, reason: string) => Promise<void>;

/** Messages are spread over this many partitions by key. Fixed: changing it while messages wait reorders them. */
export const PARTITIONS = 16;

/** Unknown failures of a handler on one message before it becomes a dead letter. */
export const MAX_HANDLER_FAILURES = 8;

/** The partition of a key: FNV-1a (32 bit) over its UTF-16 code units, modulo `PARTITIONS`. Stable across versions. */
export function partitionOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % PARTITIONS;
}
