import type { ConsumerInfo, JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { nanos, nuid } from '@nats-io/transport-node';
import type { Queue } from '../port.ts';

/**
 * What the bus keeps at the broker: one work-queue stream with subjects `<prefix>.<queue>.<partition>`, and one
 * durable pull consumer per queue and partition. The stream is called `<prefix>`, or `<prefix>-<random>` when it
 * was made to replace one that was lost (see `successorName`); its subjects tell that it is ours. Only features of
 * NATS 2.9 are used.
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
const SUBJECTS_OVERLAP = 10_065;
const FILTER_TAKEN_BY_OTHER_CONSUMER = 10_100;
const CONSUMER_EXISTS_DIFFERENTLY = 10_148;

/** The subject a message is published on. */
export function subjectOf(prefix: string, queue: Queue, partition: number): string {
  return `${prefix}.${queue}.${partition}`;
}

/** One life of the stream: lost and made anew, it has another birth and, as a rule, another name. */
export interface StreamLife {
  readonly name: string;
  /** When it was created. See `consumerName`. */
  readonly birth: string;
}

/** Brings the stream with our subjects to our configuration, or creates it as `nameIfMissing`. */
export async function ensureStream(
  jsm: JetStreamManager,
  topology: Topology,
  nameIfMissing: string,
): Promise<StreamLife> {
  const config = {
    subjects: [`${topology.prefix}.*.*`],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    num_replicas: topology.replicas,
  };
  // Only `update` for a name that was there: `add` would create it anew if it is being deleted just now.
  const update = async (name: string) => lifeOf(await jsm.streams.update(name, config));
  const existing = await findStream(jsm, topology);
  if (existing !== undefined) return update(existing);
  try {
    return lifeOf(await jsm.streams.add({ ...config, name: nameIfMissing }));
  } catch (error) {
    if (!hasCode(error, SUBJECTS_OVERLAP) && !hasCode(error, STREAM_EXISTS_DIFFERENTLY)) throw error;
    const quickerOne = await findStream(jsm, topology);
    if (quickerOne === undefined) throw error;
    return update(quickerOne);
  }
}

/**
 * A name no stream had before, for the successor of a lost one. nats-server (2.9 for certain) forgets a stream
 * that is deleted at once, tells its consumers, and removes the folder of that name last: a stream created under
 * the old name in between loses its files to that removal. It takes messages all the same, acknowledges them
 * and can never hand them out ("error looking up message for consumer: ... no such file or directory").
 */
export function successorName(topology: Topology): string {
  return `${topology.prefix}-${nuid.next()}`;
}

/** A consumer of one queue and partition, as one incarnation of the stream knows it. */
export interface ConsumerWish {
  readonly queue: Queue;
  readonly partition: number;
  readonly maxInFlight: number;
  readonly stream: StreamLife;
}

/** Creates the consumer, or brings an existing one to the wished configuration. */
export async function ensureConsumer(
  jsm: JetStreamManager,
  topology: Topology,
  wish: ConsumerWish,
): Promise<ConsumerInfo> {
  const stream = wish.stream.name;
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
function consumerName({ queue, partition, stream }: ConsumerWish): string {
  return `${queue}-${partition}-${stream.birth.replaceAll(/\D/g, '')}`;
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

/** The server forbids two streams with the same subjects, so there is one at most. */
async function findStream(jsm: JetStreamManager, { prefix }: Topology): Promise<string | undefined> {
  const subject = `${prefix}.*.*`;
  for await (const { config } of jsm.streams.list(subject)) {
    if (config.subjects.length === 1 && config.subjects[0] === subject) return config.name;
  }
  return undefined;
}

function lifeOf({ config, created }: StreamInfo): StreamLife {
  return { name: config.name, birth: created };
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
