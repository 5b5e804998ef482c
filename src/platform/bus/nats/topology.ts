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
 * What the bus creates at the broker: one work-queue stream with subjects
 * `<prefix>.<queue>.<partition>`, and one durable pull consumer per queue and partition. The stream
 * is named `<prefix>`, or `<prefix>-<random>` when it replaces a lost one (see `successorName`); it
 * is identified by its subjects. Uses NATS 2.9 features only.
 */
export interface Topology {
  readonly prefix: string;
  /** How long the broker waits for an acknowledgement before it redelivers a message. */
  readonly ackWaitMs: number;
}

/** Deduplication window of the broker for message ids. */
const DUPLICATE_WINDOW_MS = 120_000;

/** Characters used of a server id, which is a public key of 56 characters. */
const BOOT_CHARACTERS = 16;

/** Error codes of the JetStream API (nats-server, `server/errors.json`). */
const STREAM_EXISTS_DIFFERENTLY = 10_058;
const SUBJECTS_OVERLAP = 10_065;
const FILTER_TAKEN_BY_OTHER_CONSUMER = 10_100;
const CONSUMER_EXISTS_DIFFERENTLY = 10_148;

/** The subject a message is published on. */
export function subjectOf(prefix: string, queue: Queue, partition: number): string {
  return `${prefix}.${queue}.${partition}`;
}

/**
 * One incarnation of the stream. A stream that was lost and recreated has a new `birth` and usually
 * a new name.
 */
export interface StreamIncarnation {
  readonly name: string;
  /** When it was created. See `consumerName`. */
  readonly birth: string;
  /**
   * Id of this server start; null in a cluster, whose servers keep stream and consumers consistent.
   */
  readonly boot: string | null;
}

/** The expected stream configuration, without its name. Operators set the replicas in a cluster. */
export function streamConfigOf({ prefix }: Topology) {
  return {
    subjects: [`${prefix}.*.*`],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  };
}

type StreamSettings = ReturnType<typeof streamConfigOf>;

/** Updates the stream with our subjects to this configuration, or creates it as `nameIfMissing`. */
export async function ensureStream(
  jsm: JetStreamManager,
  topology: Topology,
  nameIfMissing: string,
): Promise<Omit<StreamIncarnation, 'boot'>> {
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
 * Uses only `update` for an existing stream: `add` would recreate one that is being deleted.
 * Updates only when something differs: after a restart, nats-server (2.9 for certain) records the
 * time of that restart as the stream's creation time on the next update, and reports it from the
 * following restart on.
 */
async function bringTo(
  jsm: JetStreamManager,
  present: StreamInfo,
  config: StreamSettings,
): Promise<Omit<StreamIncarnation, 'boot'>> {
  if (differences(present.config, config).length === 0) return lifeOf(present);
  return lifeOf(await jsm.streams.update(present.config.name, config));
}

/** Names of the settings in which a stream differs from the expected configuration. */
export function differences(present: Readonly<StreamConfig>, expected: Partial<StreamSettings>): string[] {
  const found: Readonly<Record<string, unknown>> = { ...present };
  return Object.entries(expected).flatMap(([name, value]) => (isDeepStrictEqual(found[name], value) ? [] : [name]));
}

/**
 * A name that no stream has had before, for the replacement of a lost one. nats-server (2.9 for
 * certain) forgets a deleted stream immediately, notifies its consumers, and removes the folder of
 * that name last: a stream created under the old name in between loses its files. It still accepts
 * and acknowledges messages but can never deliver them ("error looking up message for consumer: ...
 * no such file or directory").
 */
export function successorName(topology: Topology): string {
  return `${topology.prefix}-${nuid.next()}`;
}

/** The consumer of one queue and partition in one incarnation of the stream. */
export interface ConsumerSpec {
  readonly queue: Queue;
  readonly partition: number;
  readonly maxInFlight: number;
  readonly stream: StreamIncarnation;
}

/** Creates the consumer, or updates an existing one to this configuration. */
export async function ensureConsumer(
  jsm: JetStreamManager,
  topology: Topology,
  consumer: ConsumerSpec,
): Promise<ConsumerInfo> {
  const stream = consumer.stream.name;
  const config = {
    durable_name: consumerName(consumer),
    filter_subject: subjectOf(topology.prefix, consumer.queue, consumer.partition),
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(topology.ackWaitMs),
    max_ack_pending: consumer.maxInFlight,
  };
  try {
    return await jsm.consumers.add(stream, config);
  } catch (error) {
    if (hasCode(error, CONSUMER_EXISTS_DIFFERENTLY)) {
      const { ack_wait, max_ack_pending } = config;
      return jsm.consumers.update(stream, config.durable_name, { ack_wait, max_ack_pending });
    }
    if (!hasCode(error, FILTER_TAKEN_BY_OTHER_CONSUMER)) throw error;
    await deleteConsumersOfOtherLives(jsm, topology, consumer.stream);
    return jsm.consumers.add(stream, config);
  }
}

/**
 * The name contains the stream's creation time. An acknowledgement addresses a consumer by name and
 * a message by sequence number, and both repeat when a lost stream is recreated: without the
 * creation time, a late acknowledgement of an old message would settle a new, unhandled one.
 *
 * It also contains the start of a standalone server: a killed one has stream and consumers on disk
 * as of different times (see DESIGN.md). A new consumer delivers everything in the stream, and
 * receivers deduplicate what was already handled.
 */
function consumerName({ queue, partition, stream }: Omit<ConsumerSpec, 'maxInFlight'>): string {
  const boot = stream.boot === null ? '' : `-${stream.boot.slice(0, BOOT_CHARACTERS)}`;
  return `${queue}-${partition}-${stream.birth.replaceAll(/\D/g, '')}${boot}`;
}

const deletions = new WeakMap<JetStreamManager, Promise<void>>();

/**
 * A process that does not yet know of the recreated stream may have created consumers under old
 * names. Concurrent callers share one deletion: to list consumers, nats-server reads every waiting
 * message once per consumer.
 */
function deleteConsumersOfOtherLives(
  jsm: JetStreamManager,
  topology: Topology,
  stream: StreamIncarnation,
): Promise<void> {
  const inProgress = deletions.get(jsm);
  if (inProgress !== undefined) return inProgress;
  const deletion = deleteOthers(jsm, topology, stream).finally(() => deletions.delete(jsm));
  deletions.set(jsm, deletion);
  return deletion;
}

async function deleteOthers(jsm: JetStreamManager, { prefix }: Topology, stream: StreamIncarnation): Promise<void> {
  for await (const { name, config } of jsm.consumers.list(stream.name)) {
    const [first, queue = '', partition] = config.filter_subject?.split('.') ?? [];
    const isOurs = first === prefix && partition !== undefined;
    if (!isOurs || name === consumerName({ queue, partition: Number(partition), stream })) continue;
    try {
      await jsm.consumers.delete(stream.name, name);
    } catch (error) {
      // After a restart all processes do this concurrently; another one has deleted it already.
      if (!hasCode(error, JetStreamApiCodes.ConsumerNotFound)) throw error;
    }
  }
}

/**
 * Returns the stream with our subjects. The server forbids overlapping subjects, so there is at
 * most one.
 */
export async function findStream(jsm: JetStreamManager, { prefix }: Topology): Promise<StreamInfo | undefined> {
  const subject = `${prefix}.*.*`;
  for await (const info of jsm.streams.list(subject)) {
    if (info.config.subjects.length === 1 && info.config.subjects[0] === subject) return info;
  }
  return undefined;
}

function lifeOf({ config, created }: StreamInfo): Omit<StreamIncarnation, 'boot'> {
  return { name: config.name, birth: created };
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
