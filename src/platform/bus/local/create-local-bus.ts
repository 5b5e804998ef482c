import { RetryableError } from '../../errors.ts';
import { serializeContext } from '../../request-context.ts';
import { settledWithin } from '../../within.ts';
import type { AttemptDeps } from '../attempt.ts';
import { attempt } from '../attempt.ts';
import { assertPublishable, closedError, decodeData, encodeData, partitionsOf } from '../message.ts';
import type { Bus, BusMessage, Queue, Subscription } from '../port.ts';
import type { Consumer, Entry, PartitionQueue } from './partition-queue.ts';
import { createPartitionQueue } from './partition-queue.ts';
import { createRecentIds } from './recent-ids.ts';

/** Ids of settled messages kept for deduplication. About 2 MB when full. */
const REMEMBERED_IDS = 20_000;

/**
 * Maximum number of unsettled messages. Beyond it `publish` rejects and the publisher keeps the
 * message.
 */
const MAX_HELD_MESSAGES = 100_000;

export type LocalBusDeps = AttemptDeps;

/**
 * An in-process bus. Messages are held in memory only, so `publish` resolves once a handler has
 * settled the message or it is stored as a dead letter. Until then the publisher still owns the
 * message, and a crash loses nothing. Messages for a queue without a subscriber wait for one.
 */
export function createLocalBus(deps: LocalBusDeps): Bus {
  const partitionQueues = new Map<string, PartitionQueue>();
  /** Unsettled messages by id; publishing an id again returns the first promise. */
  const held = new Map<string, Held>();
  const settledIds = createRecentIds(REMEMBERED_IDS);
  const subscriptions = new Set<Subscription>();
  let isClosed = false;

  function partitionQueueOf(queue: string, partition: number): PartitionQueue {
    const key = `${queue}.${partition}`;
    const known = partitionQueues.get(key);
    if (known !== undefined) return known;
    const partitionQueue = createPartitionQueue((entry, handle) => {
      entry.attempts += 1;
      const received = { ...entry.message, data: decodeData(entry.text), attempt: entry.attempts };
      return attempt(deps, received, handle, entry.failures);
    });
    partitionQueues.set(key, partitionQueue);
    return partitionQueue;
  }

  async function accept(message: BusMessage): Promise<void> {
    assertPublishable(message);
    const { queue, partition, id } = message;
    const text = encodeData(message);
    if (isClosed) throw closedError();
    if (settledIds.has(id)) return;
    const first = held.get(id);
    if (first !== undefined) return first.settled;
    if (held.size >= MAX_HELD_MESSAGES) {
      throw new RetryableError('BUS_FULL', `The bus holds ${held.size} messages; retry when handlers have caught up`);
    }
    const settled = new Promise<void>((resolve, reject) => {
      const entry: Entry = {
        message: { queue, partition, id, data: null, trace: message.trace ?? serializeContext() },
        text,
        attempts: 0,
        failures: 0,
        resolve,
        reject,
      };
      partitionQueueOf(queue, partition).put(entry);
    });
    held.set(id, { queue, settled });
    try {
      await settled;
      settledIds.add(id);
    } finally {
      held.delete(id);
    }
  }

  return {
    publish: accept,

    async subscribe(options, handle) {
      const partitions = partitionsOf(options);
      if (isClosed) throw closedError();
      const joined = partitions.map((partition) => {
        const consumer: Consumer = {
          handle,
          maxInFlight: options.maxInFlightPerPartition,
          inFlight: 0,
          running: new Set(),
        };
        const partitionQueue = partitionQueueOf(options.queue, partition);
        partitionQueue.join(consumer);
        return { partitionQueue, consumer };
      });
      const subscription: Subscription = {
        async stop(timeoutMs) {
          for (const { partitionQueue, consumer } of joined) partitionQueue.leave(consumer);
          // Handlers that still run leave the `publish` promise pending, so the publisher keeps the
          // message.
          await settledWithin(
            joined.flatMap(({ consumer }) => [...consumer.running]),
            timeoutMs,
          );
          subscriptions.delete(subscription);
        },
      };
      subscriptions.add(subscription);
      return subscription;
    },

    async isHealthy() {
      return !isClosed;
    },

    async waiting() {
      return isClosed ? null : countsByQueue(held.values());
    },

    async close(timeoutMs) {
      isClosed = true;
      for (const partitionQueue of partitionQueues.values()) partitionQueue.abandon(closedError());
      await Promise.all([...subscriptions].map((subscription) => subscription.stop(timeoutMs)));
    },
  };
}

// Helpers

interface Held {
  readonly queue: Queue;
  readonly settled: Promise<void>;
}

function countsByQueue(messages: Iterable<Held>): Map<Queue, number> {
  const counts = new Map<Queue, number>();
  for (const { queue } of messages) counts.set(queue, (counts.get(queue) ?? 0) + 1);
  return counts;
}
