import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { deferred } from '@nats-io/transport-node';
import { messageOf } from '../../errors.ts';
import type { EventLog } from '../../log.ts';
import { settledWithin } from '../../within.ts';
import type { Queue } from '../port.ts';
import type { Broker, Session } from './broker.ts';
import type { Topology } from './topology.ts';
import { ensureConsumer } from './topology.ts';

/** Consumes one partition of a queue until stopped, across broker outages. */
export interface PartitionLoop {
  /** Resolves when the first attempt to consume has succeeded or failed. */
  readonly tried: Promise<void>;
  /**
   * Resolves when no more messages arrive. Messages received while stopping were returned with
   * `nak`.
   */
  stop(): Promise<void>;
}

export interface PartitionLoopDeps {
  readonly broker: Broker;
  readonly topology: Topology;
  readonly log: EventLog;
  readonly queue: Queue;
  readonly partition: number;
  /** Maximum number of unacknowledged messages of this partition over all processes. */
  readonly maxInFlight: number;
  readonly receive: (message: JsMsg, partition: number) => void;
}

/**
 * A pull request expires at the broker after this long and is then renewed: the only cost of an
 * idle partition.
 */
const PULL_EXPIRES_MS = 30_000;

/**
 * Idle heartbeat interval; after two missed heartbeats the client pulls again. This recovers within
 * 15 s from pull requests that were lost or rejected during a leader change. Six queues of 16
 * partitions cost 20 small messages a second.
 */
const IDLE_HEARTBEAT_MS = 5_000;

/**
 * How long to wait for the broker to confirm the unsubscribe; long enough for a process that is
 * busy with messages already received.
 */
const LEAVE_WITHIN_MS = 4_000;

/**
 * Delay after a failure, so that a permanent one (a missing permission, say) does not cause a busy
 * loop.
 */
const RETRY_DELAY_MS = 250;

export function startPartitionLoop(deps: PartitionLoopDeps): PartitionLoop {
  const { broker, log, queue, partition } = deps;
  const stopping = new AbortController();
  const stopped = deferred<void>();
  /**
   * Messages that arrived while stopping. They are returned with `nak` right away instead of after
   * `ack_wait`.
   */
  const stragglers: JsMsg[] = [];
  const tried = deferred<void>();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const session = await Promise.race([broker.session(), stopped]);
      if (!session || stopping.signal.aborted) return;
      const end = await receiveDuring(session);
      tried.resolve();
      if (end === 'over') continue;
      await sleep(RETRY_DELAY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (end === 'lost') await broker.renew(session);
    }
  }

  /**
   * `over`: the session ended or the loop was stopped. `lost`: stream or consumer are gone.
   * `failed`: any other error.
   */
  async function receiveDuring(session: Session): Promise<'over' | 'lost' | 'failed'> {
    let receiving: Receiving;
    try {
      receiving = await consume(deps, session, receiveOrReturn);
    } catch (error) {
      if (broker.current() !== session) return 'over';
      if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return 'lost';
      log.warn({ queue, partition, reason: messageOf(error) }, 'a partition cannot be received; retrying');
      return 'failed';
    }
    tried.resolve();
    const { messages } = receiving;
    const loss = await Promise.race([messages.closed(), session.ended, stopped]);
    if (stopping.signal.aborted && broker.current() === session) await leave(receiving);
    handBack(stragglers);
    await messages.close();
    return loss instanceof Error && broker.current() === session ? 'lost' : 'over';
  }

  function receiveOrReturn(message: JsMsg): void {
    if (stopping.signal.aborted) stragglers.push(message);
    else deps.receive(message, partition);
  }

  const running = run();
  return {
    tried,
    async stop() {
      stopping.abort();
      stopped.resolve();
      await running;
      tried.resolve();
    },
  };
}

// Helpers

/** Without a connection the broker redelivers them after `ack_wait`. */
function handBack(messages: readonly JsMsg[]): void {
  for (const message of messages) {
    try {
      message.nak();
    } catch {
      return;
    }
  }
}

interface Receiving {
  readonly messages: ConsumerMessages;
  /** Requests the consumer's info from the broker. Rejects when the consumer does not exist. */
  readonly ask: () => Promise<unknown>;
}

async function consume(
  deps: PartitionLoopDeps,
  session: Session,
  receive: (message: JsMsg) => void,
): Promise<Receiving> {
  const { topology, queue, partition, maxInFlight } = deps;
  const spec = { queue, partition, maxInFlight, stream: session.stream };
  const info = await ensureConsumer(session.jsm, topology, spec);
  // `max_ack_pending` at the broker limits the flow. Pull requests are always open, so that a
  // published message is delivered immediately.
  const messages = await session.js.consumers.getConsumerFromInfo(info).consume({
    max_messages: maxInFlight,
    threshold_messages: Math.floor(maxInFlight / 2),
    expires: PULL_EXPIRES_MS,
    idle_heartbeat: IDLE_HEARTBEAT_MS,
    abort_on_missing_resource: true,
    callback: receive,
  });
  const ask = () => session.jsm.consumers.info(info.stream_name, info.name);
  try {
    // The broker silently drops a pull request when its consumer no longer exists, and the client
    // would then wait for missed heartbeats. If the consumer exists now, it existed when the pull
    // request was sent.
    await ask();
  } catch (error) {
    // The consumer may exist and only have replied too late for a busy process; messages it has
    // already sent are still in transit.
    await leave({ messages, ask });
    await messages.close();
    throw error;
  }
  return { messages, ask };
}

/**
 * Unsubscribes and waits for the broker's confirmation, after which everything it had sent has
 * arrived. The client's own `close` drops such messages, and they are redelivered only after
 * `ack_wait`. Draining the subscription is not part of the client's public API; a client without it
 * is closed as usual. Requesting the consumer's info makes the broker discard our pull requests;
 * see DESIGN.md.
 */
async function leave({ messages, ask }: Receiving): Promise<void> {
  const { sub } = messages as { readonly sub?: { drain?(): Promise<void> } };
  const drained = (async () => {
    await sub?.drain?.();
    await ask();
  })();
  await settledWithin([drained], LEAVE_WITHIN_MS);
}
