import { setImmediate as nextTurn } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { BusMessage } from '../../../src/platform/bus/index.ts';
import { createNatsBus } from '../../../src/platform/bus/index.ts';
import type { Broker, Session } from '../../../src/platform/bus/nats/broker.ts';
import { createBroker } from '../../../src/platform/bus/nats/broker.ts';
import { startPartitionLoop } from '../../../src/platform/bus/nats/partition-loop.ts';
import { parseServerAddress } from '../../../src/platform/bus/nats/server-address.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { describeWith } from '../../support/run/components.ts';
import type { OwnNatsServer } from '../../support/service/nats.ts';
import { createNatsServer, deleteStream, uniquePrefix } from '../../support/service/nats.ts';
import type { Buses } from './harness.ts';
import { createBuses, createGate, newQueue, silentLog } from './harness.ts';
import { deleteConsumers, publishRaw } from './nats-raw.ts';

const describeWithServer = describeWith('natsServer');
const POLLING = { timeout: 30_000, interval: 5 };

// Uses its own server, because a recreated stream has a name that the clean-up of a shared server
// would not find.
describeWithServer('the NATS bus, when its stream or consumers are lost,', () => {
  let server: OwnNatsServer;
  let buses: Buses;
  let prefix: string;
  let queue: string;
  beforeAll(async () => {
    server = await createNatsServer();
    await server.start();
  });
  afterAll(() => server.remove());
  beforeEach(() => {
    prefix = uniquePrefix();
    queue = newQueue();
    buses = createBuses((parts) => createNatsBus({ ...parts, url: server.url, prefix }));
  });
  afterEach(() => buses.closeAll());

  function message(index: number, partition = 0): BusMessage {
    return { queue, partition, id: `${queue}-${index}`, data: index };
  }

  async function deleteOurStream(): Promise<void> {
    await deleteStream(server.url, await nameOfStream(server.url, prefix));
  }

  test('recreates a stream deleted externally, for publishers and subscribers', async () => {
    const bus = buses.open();
    const got: unknown[] = [];
    await bus.subscribe({ queue, maxInFlightPerPartition: 4 }, async ({ data }) => void got.push(data));
    await bus.publish(message(1));
    await vi.waitFor(() => expect(got).toEqual([1]), POLLING);
    await deleteOurStream();
    await bus.publish(message(2));
    await vi.waitFor(() => expect(got).toEqual([1, 2]), POLLING);
  });

  test('recreates a stream deleted externally in a process that only subscribes', async () => {
    const bus = buses.open();
    const got: unknown[] = [];
    await bus.subscribe({ queue, maxInFlightPerPartition: 4 }, async ({ data }) => void got.push(data));
    await deleteOurStream();
    await vi.waitFor(() => publishRaw(server.url, `${prefix}.${queue}.0`, '"from elsewhere"'), POLLING);
    await vi.waitFor(() => expect(got).toEqual(['from elsewhere']), POLLING);
  });

  test('delivers messages of a stream recreated while the old one is still being deleted', async () => {
    const bus = buses.open();
    const got: unknown[] = [];
    // Many consumers, whose folders take the server a while to delete.
    for (const each of Array.from({ length: 6 }, newQueue)) {
      await bus.subscribe({ queue: each, maxInFlightPerPartition: 4 }, async () => undefined);
    }
    await bus.subscribe({ queue, maxInFlightPerPartition: 4 }, async ({ data }) => void got.push(data));
    let isDeleted = false;
    const deletion = deleteOurStream().finally(() => {
      isDeleted = true;
    });
    // Publishing recreates the stream as soon as possible; the old one may take these messages.
    for (let index = 1_000; !isDeleted; index += 1) await bus.publish(message(index, 1)).catch(() => undefined);
    await deletion;
    await vi.waitFor(() => bus.publish(message(1)), POLLING);
    await vi.waitFor(() => expect(got).toContain(1), POLLING);
  });

  test('publishes made while the stream is recreated wait for it and are not rejected', async () => {
    const bus = buses.open();
    await bus.publish(message(0));
    await deleteOurStream();
    let isMade = false;
    const outcomes: Promise<string>[] = [];
    const publish = (index: number): Promise<string> => bus.publish(message(index)).then(() => 'accepted', String);
    outcomes.push(
      publish(1).finally(() => {
        isMade = true;
      }),
    );
    for (let index = 2; !isMade; index += 1) {
      outcomes.push(publish(index));
      await nextTurn();
    }
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['accepted']));
  });

  test('processes that miss the stream at the same time create one, not two', async () => {
    const processes = [buses.open(), buses.open(), buses.open()];
    const got: unknown[] = [];
    for (const bus of processes) {
      await bus.subscribe({ queue, maxInFlightPerPartition: 4 }, async ({ data }) => void got.push(data));
    }
    await deleteOurStream();
    const accepted = await Promise.allSettled(processes.map((bus, index) => bus.publish(message(index))));
    expect(accepted.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    await vi.waitFor(() => expect(new Set(got)).toEqual(new Set([0, 1, 2])), POLLING);
    expect(got).toHaveLength(3);
  });

  test('recreates consumers deleted externally', async () => {
    const bus = buses.open();
    const got: unknown[] = [];
    await bus.subscribe(
      { queue, maxInFlightPerPartition: 4, partitions: [0, 1] },
      async ({ data }) => void got.push(data),
    );
    await deleteConsumers(server.url, await nameOfStream(server.url, prefix));
    await bus.publish(message(1));
    await bus.publish(message(2, 1));
    await vi.waitFor(() => expect(new Set(got)).toEqual(new Set([1, 2])), POLLING);
  });

  test('the late outcome of a message whose stream was lost settles nothing in the new stream', async () => {
    const bus = buses.open();
    const [oldMessage, newMessage] = [createGate(), createGate()];
    const got: string[] = [];
    await bus.subscribe({ queue, maxInFlightPerPartition: 1, partitions: [0] }, async ({ data, attempt }) => {
      got.push(`${data}: attempt ${attempt} begins`);
      if (data === 1) await oldMessage.opened;
      if (data === 2 && attempt === 1) await newMessage.opened;
      got.push(`${data}: attempt ${attempt} ends`);
      if (data === 2 && attempt === 1) throw new RetryableError('BUSY', 'later', { retryAfterMs: 1 });
    });
    await bus.publish(message(1));
    await vi.waitFor(() => expect(got).toHaveLength(1), POLLING);
    await deleteOurStream();
    // A process that starts now gives the new stream the old one's name, and this message gets the
    // sequence number that message 1 had.
    await buses.open().publish(message(2));
    await vi.waitFor(() => expect(got).toHaveLength(2), POLLING);
    oldMessage.open();
    await vi.waitFor(() => expect(got).toContain('1: attempt 1 ends'), POLLING);
    expect(await bus.isHealthy()).toBe(true); // A round trip: the broker has seen the late outcome by now.
    newMessage.open();
    await vi.waitFor(() => expect(got).toContain('2: attempt 2 ends'), POLLING);
  });

  test('a consumer deleted just before a pull is noticed immediately, not by missing heartbeats', async () => {
    const topology = { prefix, ackWaitMs: 10_000 };
    const broker = createBroker({ address: parseServerAddress(server.url), topology, log: silentLog });
    const got: string[] = [];
    const renew = vi.fn(broker.renew);
    const loop = startPartitionLoop({
      broker: await deletingFirstConsumer({ ...broker, renew }),
      topology,
      log: silentLog,
      queue,
      partition: 0,
      maxInFlight: 1,
      receive: (received) => void got.push(received.string()),
    });
    await publishRaw(server.url, `${prefix}.${queue}.0`, '"hello"');
    await vi.waitFor(() => expect(got).toContain('"hello"'), POLLING);
    expect(renew.mock.calls).toHaveLength(0); // The client's fallback: missed heartbeats, a check, then a new session.
    await loop.stop();
    await broker.close();
  });
});

/** The current stream of a prefix, whatever its name. */
async function nameOfStream(url: string, prefix: string): Promise<string> {
  const connection = await connect({ servers: url.replace('nats://', '') });
  try {
    return await (await jetstreamManager(connection)).streams.find(`${prefix}.any.0`);
  } finally {
    await connection.close();
  }
}

/** A broker whose first consumer is deleted before it can be pulled from. */
async function deletingFirstConsumer(broker: Broker): Promise<Broker> {
  const real = await broker.session();
  if (real === undefined) throw new Error('The broker is closed');
  const { consumers } = real.jsm;
  let isFirst = true;
  const add: typeof consumers.add = async (stream, config, options) => {
    const info = await consumers.add(stream, config, options);
    if (isFirst) await consumers.delete(stream, info.name);
    isFirst = false;
    return info;
  };
  const session: Session = {
    ...real,
    jsm: Object.create(real.jsm, { consumers: { value: Object.create(consumers, { add: { value: add } }) } }),
  };
  return { ...broker, current: () => session, session: async () => session };
}
