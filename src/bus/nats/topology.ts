import type { ConsumerInfo, JetStreamManager } from '@nats-io/jetstream';
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Queue } from '../port.ts';

/**
 * What the bus keeps at the broker: one work-queue stream `<prefix>` with subjects `<prefix>.<queue>.<partition>`,
 * and one durable pull consumer per queue and partition. Only features of NATS 2.9 are used.
 */
export interface Topology {
  readonly prefix: string;
  /** Copies of the stream in a NATS cluster. */
  readonly replicas: number;
  /** How long the broker waits for a sign of life before it hands a message to someone else. */
  readonly ackWaitMs: number;
}

/** The broker drops a second publish of an id for this long. */
const DUPLICATE_WINDOW_MS = 120_000;

/** Error codes of the JetStream API (nats-server, `server/errors.json`). */
const STREAM_EXISTS_DIFFERENTLY = 10_058;
const FILTER_TAKEN_BY_OTHER_CONSUMER = 10_100;
const CONSUMER_EXISTS_DIFFERENTLY = 10_148;

/** The subject a message is published on. */
export function subjectOf(prefix: string, queue: Queue, partition: number): string {
  return `${prefix}.${queue}.${partition}`;
}

/**
 * Creates the stream, or brings an existing one to our configuration. Returns the moment of its birth: a stream
 * that was lost and made anew has another one.
 */
export async function ensureStream(jsm: JetStreamManager, topology: Topology): Promise<string> {
  const config = {
    name: topology.prefix,
    subjects: [`${topology.prefix}.*.*`],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    num_replicas: topology.replicas,
  };
  try {
    return (await jsm.streams.add(config)).created;
  } catch (error) {
    if (!hasCode(error, STREAM_EXISTS_DIFFERENTLY)) throw error;
    return (await jsm.streams.update(config.name, config)).created;
  }
}

/** A consumer of one queue and partition, as one incarnation of the stream knows it. */
export interface ConsumerWish {
  readonly queue: Queue;
  readonly partition: number;
  readonly maxInFlight: number;
  readonly streamBirth: string;
}

/** Creates the consumer, or brings an existing one to the wished configuration. */
export async function ensureConsumer(
  jsm: JetStreamManager,
  topology: Topology,
  wish: ConsumerWish,
): Promise<ConsumerInfo> {
  const stream = topology.prefix;
  const config = {
    durable_name: consumerName(wish),
    filter_subject: subjectOf(topology.prefix, wish.queue, wish.partition),
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(topology.ackWaitMs),
    max_ack_pending: wish.maxInFlight,
  };
  try {
    return await jsm.consumers.add(stream, config);
  } catch (error) {
    if (hasCode(error, CONSUMER_EXISTS_DIFFERENTLY)) {
      const { ack_wait, max_ack_pending } = config;
      return jsm.consumers.update(stream, config.durable_name, { ack_wait, max_ack_pending });
    }
    if (!hasCode(error, FILTER_TAKEN_BY_OTHER_CONSUMER)) throw error;
    await deleteOtherConsumers(jsm, stream, config.filter_subject, config.durable_name);
    return jsm.consumers.add(stream, config);
  }
}

/**
 * The name carries the stream's birth. An acknowledgement is addressed to a consumer by name and a message by
 * sequence number, and both repeat when a lost stream is made anew: without the birth, the late acknowledgement
 * of an old message would settle a new one that nobody has handled.
 */
function consumerName({ queue, partition, streamBirth }: ConsumerWish): string {
  return `${queue}-${partition}-${streamBirth.replaceAll(/\D/g, '')}`;
}

/** A process that did not know yet of the stream's rebirth may have made a consumer under the old name. */
async function deleteOtherConsumers(
  jsm: JetStreamManager,
  stream: string,
  subject: string,
  ownName: string,
): Promise<void> {
  for await (const { name, config } of jsm.consumers.list(stream)) {
    if (config.filter_subject === subject && name !== ownName) await jsm.consumers.delete(stream, name);
  }
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
