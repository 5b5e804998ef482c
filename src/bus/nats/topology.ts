import { isDeepStrictEqual } from 'node:util';
import type { ConsumerInfo, JetStreamManager, StreamConfig, StreamInfo } from '@nats-io/jetstream';
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
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

/** Of a server's id, which is a public key of 56. */
const BOOT_LETTERS = 16;

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
  /** Which start of its server this is; null in a cluster, whose servers keep stream and consumers together. */
  readonly boot: string | null;
}

/** How the stream is to be, whatever it is called. */
export function streamConfigOf({ prefix, replicas }: Topology) {
  return {
    subjects: [`${prefix}.*.*`],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    num_replicas: replicas,
  };
}

type StreamSettings = ReturnType<typeof streamConfigOf>;

/** Brings the stream with our subjects to our configuration, or creates it as `nameIfMissing`. */
export async function ensureStream(
  jsm: JetStreamManager,
  topology: Topology,
  nameIfMissing: string,
): Promise<Omit<StreamLife, 'boot'>> {
  const config = streamConfigOf(topology);
  const existing = await findStream(jsm, topology);
  if (existing !== undefined) return bringTo(jsm, existing, config);
  try {
    return lifeOf(await jsm.streams.add({ ...config, name: nameIfMissing }));
  } catch (error) {
    if (!hasCode(error, SUBJECTS_OVERLAP) && !hasCode(error, STREAM_EXISTS_DIFFERENTLY)) throw error;
    const quickerOne = await findStream(jsm, topology);
    if (quickerOne === undefined) throw error;
    return bringTo(jsm, quickerOne, config);
  }
}

/**
 * Only `update` for a stream that was there: `add` would create it anew if it is being deleted just now. And only when something
 * differs: after a restart, nats-server (2.9 for certain) writes the moment of that restart down as the stream's birth with the
 * next update, and believes it from the restart after that on.
 */
async function bringTo(
  jsm: JetStreamManager,
  present: StreamInfo,
  config: StreamSettings,
): Promise<Omit<StreamLife, 'boot'>> {
  if (differences(present.config, config).length === 0) return lifeOf(present);
  return lifeOf(await jsm.streams.update(present.config.name, config));
}

/** Names of settings in which a stream is not as it should be. */
export function differences(present: Readonly<StreamConfig>, wanted: Partial<StreamSettings>): string[] {
  const found: Readonly<Record<string, unknown>> = { ...present };
  return Object.entries(wanted).flatMap(([name, value]) => (isDeepStrictEqual(found[name], value) ? [] : [name]));
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
    await deleteConsumersOfOtherLives(jsm, topology, wish.stream);
    return jsm.consumers.add(stream, config);
  }
}

/**
 * The name carries the stream's birth. An acknowledgement is addressed to a consumer by name and a message by
 * sequence number, and both repeat when a lost stream is made anew: without the birth, the late acknowledgement
 * of an old message would settle a new one that nobody has handled.
 *
 * And it carries the start of a lone server. One that was killed has stream and consumers on disk as of different moments: a consumer may
 * have settled sequence numbers that the stream gives out again, have forgotten what was out, or wait for ever, in a place of
 * `max_ack_pending`, for what the stream has deleted; and the stream may have again what was settled and deleted. Nobody can
 * tell these apart. A new consumer hands out all that is there, and what was settled is a repetition, which every receiver bears.
 */
function consumerName({ queue, partition, stream }: Omit<ConsumerWish, 'maxInFlight'>): string {
  const boot = stream.boot === null ? '' : `-${stream.boot.slice(0, BOOT_LETTERS)}`;
  return `${queue}-${partition}-${stream.birth.replaceAll(/\D/g, '')}${boot}`;
}

const deletions = new WeakMap<JetStreamManager, Promise<void>>();

/**
 * A process that did not know yet of the stream's rebirth may have made consumers under old names. All are deleted for whoever asks
 * meanwhile: for a list of them, nats-server reads every message that waits once for every consumer.
 */
function deleteConsumersOfOtherLives(jsm: JetStreamManager, topology: Topology, stream: StreamLife): Promise<void> {
  const underWay = deletions.get(jsm);
  if (underWay !== undefined) return underWay;
  const deletion = deleteOthers(jsm, topology, stream).finally(() => deletions.delete(jsm));
  deletions.set(jsm, deletion);
  return deletion;
}

async function deleteOthers(jsm: JetStreamManager, { prefix }: Topology, stream: StreamLife): Promise<void> {
  for await (const { name, config } of jsm.consumers.list(stream.name)) {
    const [first, queue = '', partition] = config.filter_subject?.split('.') ?? [];
    const isOurs = first === prefix && partition !== undefined;
    if (!isOurs || name === consumerName({ queue, partition: Number(partition), stream })) continue;
    try {
      await jsm.consumers.delete(stream.name, name);
    } catch (error) {
      // After a restart all processes do this at once, and another one was quicker.
      if (!hasCode(error, JetStreamApiCodes.ConsumerNotFound)) throw error;
    }
  }
}

/** The server forbids two streams with the same subjects, so there is one at most. */
export async function findStream(jsm: JetStreamManager, { prefix }: Topology): Promise<StreamInfo | undefined> {
  const subject = `${prefix}.*.*`;
  for await (const info of jsm.streams.list(subject)) {
    if (info.config.subjects.length === 1 && info.config.subjects[0] === subject) return info;
  }
  return undefined;
}

function lifeOf({ config, created }: StreamInfo): Omit<StreamLife, 'boot'> {
  return { name: config.name, birth: created };
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
