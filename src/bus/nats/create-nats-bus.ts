import { TerminalError } from '../../errors.ts';
import type { AttemptDeps } from '../attempt.ts';
import { closedError, partitionsOf } from '../message.ts';
import type { Bus, BusHandler, SubscribeOptions, Subscription } from '../port.ts';
import { createBroker } from './broker.ts';
import { createFailureCounts } from './failure-counts.ts';
import { startPartitionLoop } from './partition-loop.ts';
import { publish } from './publish.ts';
import { createReceiver } from './receiver.ts';
import { parseServerAddress } from './server-address.ts';
import type { Topology } from './topology.ts';

/** What the NATS bus needs. */
export interface NatsBusDeps extends AttemptDeps {
  /** `nats://` or `tls://`, with credentials if needed; several servers of a cluster separated by commas. */
  readonly url: string;
  /**
   * First token of the subjects and name of the stream; one that replaces a lost stream has `-` and a random text
   * behind it. Buses with the same prefix share the work.
   */
  readonly prefix: string;
  /** Copies of the stream in a NATS cluster: 1 (default), 3 or 5. */
  readonly replicas?: number;
  /** How long a message of a process that died stays unsettled before another one gets it. */
  readonly ackWaitMs?: number;
}

/** Letters NATS allows in stream names and subject tokens alike. */
const PREFIX = /^[A-Za-z0-9_-]{1,64}$/;

const DEFAULT_REPLICAS = 1;
const DEFAULT_ACK_WAIT_MS = 10_000;

/** Messages whose failures are counted at once. About 1 MB when full. */
const COUNTED_FAILING_MESSAGES = 10_000;

/**
 * A bus over NATS JetStream (server 2.9 or newer). Returns at once and never gives up: without a server
 * publishing rejects with `RetryableError` and subscriptions wait; both work as soon as there is one.
 * The stream and its consumers are created when missing, also when they vanish later.
 */
export function createNatsBus(deps: NatsBusDeps): Bus {
  if (!PREFIX.test(deps.prefix)) {
    throw new TerminalError('NATS_PREFIX_INVALID', 'The NATS prefix must be 1 to 64 letters, digits, "_" or "-"');
  }
  const topology: Topology = {
    prefix: deps.prefix,
    replicas: deps.replicas ?? DEFAULT_REPLICAS,
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
      async stop(patienceMs) {
        await Promise.all(loops.map((loop) => loop.stop()));
        await receiver.finish(patienceMs);
        subscriptions.delete(subscription);
      },
    };
    subscriptions.add(subscription);
    await broker.tried;
    // Without a server the loops go on behind the scenes; the caller's start-up must not hang on it.
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
        // A round trip through JetStream itself: a server without it accepts connections too.
        await broker.current()?.jsm.getAccountInfo();
        return broker.current() !== undefined;
      } catch {
        return false;
      }
    },
    async close(patienceMs) {
      isClosed = true;
      await Promise.all([...subscriptions].map((subscription) => subscription.stop(patienceMs)));
      await Promise.allSettled(publishing);
      await broker.close();
    },
  };
}
