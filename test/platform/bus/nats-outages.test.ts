import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Bus, BusMessage } from '../../../src/platform/bus/index.ts';
import { createNatsBus, PARTITIONS } from '../../../src/platform/bus/index.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { describeWith } from '../../support/run/components.ts';
import { level } from '../../support/run/level.ts';
import type { OwnNatsServer } from '../../support/service/nats.ts';
import { createNatsServer, deleteStream } from '../../support/service/nats.ts';
import type { Buses } from './harness.ts';
import { createBuses, newQueue } from './harness.ts';
import { consumerSubjects, countMessages, createRawStream } from './nats-raw.ts';

const describeWithServer = describeWith('natsServer');
const POLLING = { timeout: 40_000, interval: 20 };

describeWithServer('the NATS bus, when its server fails,', () => {
  let server: OwnNatsServer;
  let buses: Buses;
  let queue: string;
  beforeEach(async () => {
    server = await createNatsServer();
    buses = createBuses((parts) => createNatsBus({ ...parts, url: server.url, prefix: 'outage' }));
    queue = newQueue();
  });
  afterEach(async () => {
    await buses.closeAll();
    await server.remove();
  });

  function message(index: number): BusMessage {
    return { queue, partition: index % PARTITIONS, id: `${queue}-${index}`, data: index };
  }

  test('starts without a server: publish rejects, and everything works once there is one', async () => {
    const bus = buses.open();
    const got: unknown[] = [];
    await bus.subscribe({ queue, maxInFlightPerPartition: 2 }, async ({ data }) => void got.push(data));
    await expect(bus.publish(message(1))).rejects.toMatchObject({ name: 'RetryableError', code: 'BUS_UNREACHABLE' });
    expect(await bus.isHealthy()).toBe(false);
    await server.start();
    await vi.waitFor(async () => expect(await bus.isHealthy()).toBe(true), POLLING);
    await bus.publish(message(1));
    await vi.waitFor(() => expect(got).toEqual([1]), POLLING);
  });

  test('closes immediately although there never was a server', async () => {
    const bus = buses.open();
    await bus.subscribe({ queue, maxInFlightPerPartition: 2 }, async () => undefined);
    await bus.close();
    expect(await bus.isHealthy()).toBe(false);
  });

  test('closes while its server is down', async () => {
    await server.start();
    const bus = buses.open();
    await bus.subscribe({ queue, maxInFlightPerPartition: 2 }, async () => undefined);
    await server.kill();
    await bus.close();
    await expect(bus.publish(message(1))).rejects.toMatchObject({ name: 'RetryableError', code: 'BUS_CLOSED' });
  });

  test('rejects publishes with the reason while its stream cannot be created, and continues without a new connection', async () => {
    await server.start();
    await createRawStream(server.url, 'somebody-else', 'outage.>');
    const bus = buses.open();
    const got: unknown[] = [];
    await bus.subscribe({ queue, maxInFlightPerPartition: 2 }, async ({ data }) => void got.push(data));
    await expect(bus.publish(message(1))).rejects.toThrow('subjects overlap');
    expect(await bus.isHealthy()).toBe(false);
    await deleteStream(server.url, 'somebody-else');
    await publishAll(bus, [message(1)], () => undefined);
    await vi.waitFor(() => expect(got).toEqual([1]), POLLING);
  });

  test('loses no accepted message when the server is killed and restarted under load', async () => {
    await server.start();
    const handled = new Set<unknown>();
    for (const bus of [buses.open(), buses.open()]) {
      await bus.subscribe({ queue, maxInFlightPerPartition: 8 }, async ({ data }) => {
        // Handlers take time, so that a kill interrupts some of them.
        await sleep(1);
        handled.add(data);
      });
    }
    const publisher = buses.open();
    const indices = Array.from({ length: level.pick({ quick: 300, full: 1_500 }) }, (_, index) => index);
    let accepted = 0;
    const publishing = publishAll(publisher, indices.map(message), () => {
      accepted += 1;
    });
    for (const kills of level.pick({ quick: [1, 2], full: [1, 2, 3] })) {
      await vi.waitFor(() => expect(accepted).toBeGreaterThan(kills * (indices.length / 5)), POLLING);
      await server.kill();
      await vi.waitFor(async () => expect(await publisher.isHealthy()).toBe(false), POLLING);
      await server.start();
    }
    await publishing;
    await vi.waitFor(() => expect(handled.size).toBe(indices.length), POLLING);
    expect(buses.deadLetters).toEqual([]);
  });

  test('has one consumer per partition, however often the server is killed and restarted', async () => {
    await server.start();
    const got: unknown[] = [];
    const [bus, other] = [buses.open(), buses.open()];
    for (const each of [bus, other]) {
      await each.subscribe({ queue, maxInFlightPerPartition: 2 }, async ({ data }) => void got.push(data));
    }
    for (const kills of [1, 2, 3]) {
      await server.kill();
      await server.start();
      await publishAll(bus, [message(kills)], () => undefined);
      await vi.waitFor(() => expect(got).toContain(kills), POLLING);
      const partitions = Array.from({ length: PARTITIONS }, (_, partition) => `outage.${queue}.${partition}`);
      await vi.waitFor(
        async () => expect(await consumerSubjects(server.url, 'outage')).toEqual(partitions.toSorted()),
        POLLING,
      );
    }
  });

  /**
   * Found by the chaos suite: every process requested a list of all consumers for every partition,
   * and with thousands of messages waiting, the server never answered any request in time again.
   */
  test('continues with thousands of pending messages when the server is killed twice', async () => {
    await server.start();
    const publisher = buses.open();
    const indices = Array.from({ length: level.pick({ quick: 2_000, full: 8_000 }) }, (_, index) => index);
    for (let first = 0; first < indices.length; first += 400) {
      await Promise.all(indices.slice(first, first + 400).map((index) => publisher.publish(message(index))));
    }
    const handled = new Set<unknown>();
    for (const bus of [buses.open(), buses.open(), buses.open()]) {
      for (const name of [queue, ...Array.from({ length: 7 }, (_, index) => `${queue}-idle-${index}`)]) {
        await bus.subscribe({ queue: name, maxInFlightPerPartition: 16 }, async ({ data }) => {
          // Handlers take time, so that messages are waiting while the server restarts.
          await sleep(20);
          handled.add(data);
        });
      }
    }
    for (const share of [0.1, 0.3]) {
      await vi.waitFor(() => expect(handled.size).toBeGreaterThan(share * indices.length), POLLING);
      await server.kill();
      await server.start();
    }
    await vi.waitFor(() => expect(handled.size).toBe(indices.length), POLLING);
  });

  test('keeps a message accepted before the server was killed, without any subscription', async () => {
    await server.start();
    const bus = buses.open();
    await bus.publish(message(1));
    await server.kill();
    await server.start();
    const got: unknown[] = [];
    await buses.open().subscribe({ queue, maxInFlightPerPartition: 1 }, async ({ data }) => void got.push(data));
    await vi.waitFor(() => expect(got).toEqual([1]), POLLING);
  });

  test('delivers new messages after its stream lost its newest messages and its consumers did not', async () => {
    await server.start();
    const bus = buses.open();
    const got: unknown[] = [];
    await bus.subscribe({ queue, maxInFlightPerPartition: 2 }, async ({ data }) => void got.push(data));
    await publishAll(bus, [message(0)], () => undefined);
    await server.stop();
    const [messages, older] = [server.messagesFolder('outage'), join(server.messagesFolder('outage'), '..', 'older')];
    await cp(messages, older, { recursive: true });
    await server.start();
    const forgotten = Array.from({ length: 64 }, (_, index) => message(100 + index));
    await publishAll(bus, forgotten, () => undefined);
    await vi.waitFor(() => expect(got).toHaveLength(65), POLLING);
    await vi.waitFor(async () => expect(await countMessages(server.url, 'outage')).toBe(0), POLLING);
    await server.stop();
    await rm(messages, { recursive: true });
    await rename(older, messages);
    await server.start();
    const taken = Array.from({ length: PARTITIONS }, (_, index) => message(200 + index));
    await publishAll(bus, taken, () => undefined);
    await vi.waitFor(() => expect(got).toEqual(expect.arrayContaining(taken.map(({ data }) => data))), POLLING);
  });

  /**
   * Found by the chaos suite: after some kills the stream held 50,000 messages that were never
   * delivered.
   */
  test('leaves no message behind after a kill: neither one waiting for its retry nor settled ones that reappear', async () => {
    await server.start();
    const bus = buses.open();
    let mayBeDone = false;
    const got: unknown[] = [];
    await bus.subscribe({ queue, maxInFlightPerPartition: 4 }, async ({ data }) => {
      if (data === 0 && !mayBeDone) throw new RetryableError('LATER', 'not yet', { retryAfterMs: 100 });
      got.push(data);
    });
    const others = Array.from({ length: 400 }, (_, index) => message(index)).filter(({ partition }) => partition !== 0);
    await publishAll(bus, [message(0), ...others], () => undefined);
    await vi.waitFor(() => expect(got).toHaveLength(others.length), POLLING);
    await vi.waitFor(async () => expect(await countMessages(server.url, 'outage')).toBe(1), POLLING);
    await server.kill();
    await server.start();
    mayBeDone = true;
    await vi.waitFor(() => expect(got).toContain(0), POLLING);
    await vi.waitFor(async () => expect(await countMessages(server.url, 'outage')).toBe(0), POLLING);
  });

  test('continues when the server comes back without its data', async () => {
    await server.start();
    const bus = buses.open();
    const got: unknown[] = [];
    await bus.subscribe({ queue, maxInFlightPerPartition: 2 }, async ({ data }) => void got.push(data));
    await bus.publish(message(1));
    await vi.waitFor(() => expect(got).toEqual([1]), POLLING);
    await server.kill();
    await server.wipe();
    await vi.waitFor(async () => expect(await bus.isHealthy()).toBe(false), POLLING);
    await server.start();
    await publishAll(bus, [message(2), message(3)], () => undefined);
    await vi.waitFor(() => expect(new Set(got)).toEqual(new Set([1, 2, 3])), POLLING);
  });
});

/** Publishes as an outbox does: a rejected message is kept and published again. */
async function publishAll(bus: Bus, messages: readonly BusMessage[], onAccepted: () => void): Promise<void> {
  for (const message of messages) {
    for (let isAccepted = false; !isAccepted; ) {
      try {
        await bus.publish(message);
        isAccepted = true;
        onAccepted();
      } catch (error) {
        if (!(error instanceof RetryableError)) throw error;
        // A pause between attempts; the loop ends when the message is accepted.
        await sleep(20);
      }
    }
  }
}
