import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { deferred } from '@nats-io/transport-node';
import { messageOf } from '../../errors.ts';
import type { BusLog } from '../log.ts';
import type { Queue } from '../port.ts';
import { settledWithin } from '../settled-within.ts';
import type { Broker, Session } from './broker.ts';
import type { Topology } from './topology.ts';
import { ensureConsumer } from './topology.ts';

/** Receives one partition of a queue for as long as it is not stopped, whatever happens to the broker. */
export interface PartitionLoop {
  /** Resolves when the first attempt to receive has succeeded or failed. */
  readonly tried: Promise<void>;
  /** Resolves when nothing arrives any more. What still came meanwhile was handed back. */
  stop(): Promise<void>;
}

export interface PartitionLoopDeps {
  readonly broker: Broker;
  readonly topology: Topology;
  readonly log: BusLog;
  readonly queue: Queue;
  readonly partition: number;
  /** The broker never has more unsettled messages of this partition out, over all processes. */
  readonly maxInFlight: number;
  readonly receive: (message: JsMsg, partition: number) => void;
}

/** A request for messages stands this long at the broker and is renewed then: the whole cost of an idle partition. */
const PULL_EXPIRES_MS = 30_000;

/**
 * The broker shows that it still holds our request this often; two omissions make the client ask again. That mends
 * what no answer reveals, a request lost on the way or refused during a change of leader, within 15 s. Six queues of
 * 16 partitions cost 20 small messages a second.
 */
const IDLE_HEARTBEAT_MS = 5_000;

/** A broker that has not confirmed by then that it sends nothing more is not waited for. Long for a process that is busy with what has come. */
const LEAVE_WITHIN_MS = 4_000;

/** Wait after a failure, so that a lasting one (a missing permission, say) does not spin. */
const RETRY_DELAY_MS = 250;

/** Starts receiving. */
export function startPartitionLoop(deps: PartitionLoopDeps): PartitionLoop {
  const { broker, log, queue, partition } = deps;
  const stopping = new AbortController();
  const stopped = deferred<void>();
  /** What was on its way when we stopped: free for others as soon as we have left, and not when the broker loses patience. */
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

  /** `over`: the session ended or we are stopped. `lost`: stream or consumer are gone. `failed`: anything else. */
  async function receiveDuring(session: Session): Promise<'over' | 'lost' | 'failed'> {
    let receiving: Receiving;
    try {
      receiving = await consume(deps, session, receiveOrReturn);
    } catch (error) {
      if (broker.current() !== session) return 'over';
      if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return 'lost';
      log.warn({ queue, partition, cause: messageOf(error) }, 'A partition cannot be received; trying again');
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

/** Without a connection the broker hands them out again by itself, later. */
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
  /** Asks the broker about the consumer. Rejects when it is not there. */
  readonly ask: () => Promise<unknown>;
}

async function consume(
  deps: PartitionLoopDeps,
  session: Session,
  receive: (message: JsMsg) => void,
): Promise<Receiving> {
  const { topology, queue, partition, maxInFlight } = deps;
  const wish = { queue, partition, maxInFlight, stream: session.stream };
  const info = await ensureConsumer(session.jsm, topology, wish);
  // The broker's limit of unsettled messages (max_ack_pending) is what holds messages back. Requests for them
  // always stand there, so that a published message is pushed at once.
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
    // The broker throws a request away without a word when its consumer is gone already, and the client waits for
    // heartbeats then. A consumer that is still there now was there for the request, which went out before.
    await ask();
  } catch (error) {
    // It may be there and only have answered too late for a busy process: what it has sent by then is on its way.
    await leave({ messages, ask });
    await messages.close();
    throw error;
  }
  return { messages, ask };
}

/**
 * Tells the broker that nothing more is wanted and waits until it has said that it knows: what it had sent before has arrived
 * by then. The client's own `close` drops such messages, and nobody gets them until the broker loses patience. Its
 * subscription can be drained, but is not part of its interface: a client without it is closed as before.
 *
 * Asking about the consumer makes the broker forget our requests. One that is remembered swallows the next message that is
 * handed back (nats-server 2.9 takes it out of its queue and finds nobody to give it to).
 */
async function leave({ messages, ask }: Receiving): Promise<void> {
  const { sub } = messages as { readonly sub?: { drain?(): Promise<void> } };
  const drained = (async () => {
    await sub?.drain?.();
    await ask();
  })();
  await settledWithin([drained], LEAVE_WITHIN_MS);
}
