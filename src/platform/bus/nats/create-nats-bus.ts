import { TerminalError } from '../../errors.ts';
import type { AttemptDeps } from '../attempt.ts';
import { closedError, partitionsOf } from '../message.ts';
import type { Bus, BusHandler, Queue, SubscribeOptions, Subscription } from '../port.ts';
import { createBroker, type Session } from './broker.ts';
import { createFailureCounts } from './failure-counts.ts';
import { startPartitionLoop } from './partition-loop.ts';
import { publish } from './publish.ts';
import { createReceiver } from './receiver.ts';
import { parseServerAddress } from './server-address.ts';
import type { Topology } from './topology.ts';

export interface NatsBusDeps extends AttemptDeps {
  /**
   * `nats://` or `tls://`, with credentials if needed; several cluster servers separated by commas.
   */
  readonly url: string;
  /**
   * First token of the subjects, and the name of the stream; a stream that replaces a lost one is
   * named `<prefix>-<random>`. Buses with the same prefix share the work.
   */
  readonly prefix: string;
  /**
   * Redelivery timeout (`ack_wait`): a message that a dead process left unacknowledged is
   * redelivered after it.
   */
  readonly ackWaitMs?: number;
}

/** Characters that NATS allows in both stream names and subject tokens. */
const PREFIX = /^[A-Za-z0-9_-]{1,64}$/;

const DEFAULT_ACK_WAIT_MS = 10_000;

/** Maximum number of messages with a failure count. About 1 MB when full. */
const COUNTED_FAILING_MESSAGES = 10_000;

/**
 * A bus on NATS JetStream (server 2.9 or newer). Returns immediately and reconnects forever: while
 * there is no server, `publish` rejects with `RetryableError` and subscriptions wait. The stream
 * and its consumers are created when missing, also when they disappear later.
 */
export function createNatsBus(deps: NatsBusDeps): Bus {
  if (!PREFIX.test(deps.prefix)) {
    throw new TerminalError('NATS_PREFIX_INVALID', 'The NATS prefix must be 1 to 64 letters, digits, "_" or "-"');
  }
  const topology: Topology = {
    prefix: deps.prefix,
    ackWaitMs: deps.ackWaitMs ?? DEFAULT_ACK_WAIT_MS,
  };
  const { log } = deps;
  const broker = createBroker({ address: parseServerAddress(deps.url), topology, log });
  const failures = createFailureCounts(COUNTED_FAILING_MESSAGES);
  const subscriptions = new Set<Subscription>();
  const publishing = new Set<Promise<void>>();
  let isClosed = false;

  async function subscribe(options: SubscribeOptions, handle: BusHandler): Promise<Subscription> {
    const { queue, maxInFlightPerPartition: maxInFlight } = options;
    const partitions = partitionsOf(options);
    if (isClosed) throw closedError();
    const receiver = createReceiver({ ...deps, ackWaitMs: topology.ackWaitMs, queue, handle, failures });
    const loops = partitions.map((partition) =>
      startPartitionLoop({ broker, topology, log, queue, partition, maxInFlight, receive: receiver.receive }),
    );
    const subscription: Subscription = {
      async stop(timeoutMs) {
        await Promise.all(loops.map((loop) => loop.stop()));
        await receiver.finish(timeoutMs);
        subscriptions.delete(subscription);
      },
    };
    subscriptions.add(subscription);
    await broker.tried;
    // Without a server the loops retry in the background, so that the caller's startup does not
    // hang.
    if (broker.current() !== undefined) await Promise.all(loops.map((loop) => loop.tried));
    return subscription;
  }

  return {
    publish(message) {
      if (isClosed) return Promise.reject(closedError());
      const published = publish(broker, topology.prefix, message).finally(() => publishing.delete(published));
      publishing.add(published);
      return published;
    },
    subscribe,
    async isHealthy() {
      try {
        // A JetStream request: a server without JetStream accepts connections too.
        await broker.current()?.jsm.getAccountInfo();
        return broker.current() !== undefined;
      } catch {
        return false;
      }
    },
    async waiting() {
      const session = broker.current();
      return session === undefined ? null : countWaiting(session, topology).catch(() => null);
    },
    async close(timeoutMs) {
      isClosed = true;
      await Promise.all([...subscriptions].map((subscription) => subscription.stop(timeoutMs)));
      await Promise.allSettled(publishing);
      await broker.close();
    },
  };
}

// Helpers

/**
 * Number of messages in the stream by queue: a work queue holds exactly those that no handler has
 * acknowledged. One request; the server keeps a count per subject. Rejects when it does not
 * respond.
 */
async function countWaiting({ jsm, stream }: Session, { prefix }: Topology): Promise<Map<Queue, number>> {
  const { state } = await jsm.streams.info(stream.name, { subjects_filter: `${prefix}.>` });
  const counts = new Map<Queue, number>();
  for (const [subject, messages] of Object.entries(state.subjects ?? {})) {
    const [, queue = ''] = subject.split('.');
    counts.set(queue, (counts.get(queue) ?? 0) + messages);
  }
  return counts;
}
