/**
 * The bus carries messages between processes; the database is the source of truth. A message is
 * addressed to a *queue* and a *partition* of it: one partition is delivered in publish order,
 * different partitions in parallel. Delivery is at least once; receivers deduplicate by id.
 */
export interface Bus {
  /**
   * Resolves once a crash of this process cannot lose the message: the broker has stored it (NATS),
   * or a handler has settled it (in-process bus). Rejects with `RetryableError` when that cannot be
   * guaranteed now; the caller still owns the message. Rejects with `TerminalError` for data that
   * is not JSON or exceeds the broker's maximum payload.
   */
  publish(message: BusMessage): Promise<void>;
  /**
   * Starts delivering messages of a queue. Resolves when the subscription is active, or when the
   * broker is known to be unreachable: the subscription then becomes active once the broker is
   * back, after every outage.
   */
  subscribe(options: SubscribeOptions, handle: BusHandler): Promise<Subscription>;
  /** Whether the broker can be reached right now. Never throws. */
  isHealthy(): Promise<boolean>;
  /**
   * Number of messages that were accepted and are not settled yet, by queue; queues without any are
   * left out. Null when the broker cannot be reached right now. Never throws.
   */
  waiting(): Promise<ReadonlyMap<Queue, number> | null>;
  /** Stops every subscription with the same `timeoutMs`, then closes connections. */
  close(timeoutMs?: number): Promise<void>;
}

export interface BusMessage {
  readonly queue: Queue;
  /** 0 … PARTITIONS-1; messages with the same key share a partition. See `partitionOf`. */
  readonly partition: number;
  /**
   * Stable across retries and unique over all queues: the broker drops a repeated publish of the
   * same id within its deduplication window.
   */
  readonly id: string;
  /** Any JSON value. */
  readonly data: unknown;
  /**
   * Request context as written by `serializeContext`; defaults to the publisher's. Sent as headers,
   * not as part of the data.
   */
  readonly trace?: string | null;
}

/**
 * `actor-<kind>` carries events to actors of one kind; each effect that leaves the process has its
 * own queue.
 */
export type Queue = string;

export interface SubscribeOptions {
  readonly queue: Queue;
  /**
   * Maximum number of messages of one partition in flight, over all processes; they are
   * still delivered in order. A message that waits for its retry counts. With 1 the order is
   * strict, retries included; with more, later messages overtake one that waits for its retry,
   * until that many wait.
   */
  readonly maxInFlightPerPartition: number;
  readonly partitions?: readonly number[];
}

/**
 * Settles one message. Resolving acknowledges it. Rejecting with `RetryableError` redelivers it
 * after the error's delay, without limit. Rejecting with `TerminalError`, or with any other error
 * `MAX_HANDLER_FAILURES` times, passes it to the dead-letter port and then acknowledges it.
 */
export type BusHandler = (message: ReceivedMessage) => Promise<void>;

export interface ReceivedMessage extends BusMessage {
  /** 1 on the first delivery. */
  readonly attempt: number;
}

export interface Subscription {
  /**
   * Stops receiving and resolves when the running handlers have settled. Messages already in
   * transit are returned for immediate redelivery. So are messages whose handlers still run after
   * `timeoutMs` (unlimited if omitted): these may be handled twice, which receivers must tolerate
   * anyway.
   */
  stop(timeoutMs?: number): Promise<void>;
}

/** Stores a message that no handler can process. Must resolve only once it is stored. */
export type DeadLetterPort = (message: BusMessage, reason: string) => Promise<void>;

/** Number of partitions. Fixed: changing it while messages wait reorders them. */
export const PARTITIONS = 16;

/** Unexpected handler errors of one message before it becomes a dead letter. */
export const MAX_HANDLER_FAILURES = 8;

/**
 * Returns the partition of a key: FNV-1a (32 bit) over its UTF-16 code units, modulo `PARTITIONS`.
 * Stable across versions.
 */
export function partitionOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % PARTITIONS;
}
