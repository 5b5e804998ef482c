import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Bus, BusMessage } from '../../src/bus/index.ts';
import { createNatsBus, PARTITIONS } from '../../src/bus/index.ts';
import { RetryableError } from '../../src/errors.ts';
import type { OwnNatsServer } from '../support/nats.ts';
import { createNatsServer, deleteStream, hasNatsServer, NATS_MISSING } from '../support/nats.ts';
import { requireOrSkip } from '../support/skip.ts';
import type { Buses } from './harness.ts';
import { createBuses, newQueue } from './harness.ts';
import { createRawStream } from './nats-raw.ts';

const describeWithServer = requireOrSkip(hasNatsServer(), NATS_MISSING.missing, NATS_MISSING.remedy);
const PATIENCE = { timeout: 40_000, interval: 10 };

/** Messages a killed server had handed out come again after this long. */
const ACK_WAIT_MS = 1_000;

describeWithServer('The NATS bus, when its server fails,', () => {
  let server: OwnNatsServer;
  let buses: Buses;
  let queue: string;
  beforeEach(async () => {
    server = await createNatsServer();
    buses = createBuses((parts) =>
      createNatsBus({ ...parts, url: server.url, prefix: 'outage', ackWaitMs: ACK_WAIT_MS }),
    );
    queue = newQueue();
  });
  afterEach(async () => {
    await buses.closeAll();
    await server.remove();
  });

  function message(index: number): BusMessage {
    return { queue, partition: index % PARTITIONS, id: `${queue}-${index}`, data: index };
  }

  test('starts without a server: publishing is refused, and everything works once there is one', async () => {
    const bus = buses.open();
    const got: unknown[] = [];
    await bus.subscribe({ queue, maxInFlightPerPartition: 2 }, async ({ data }) => void got.push(data));
    await expect(bus.publish(message(1))).rejects.toMatchObject({ name: 'RetryableError', code: 'BUS_UNREACHABLE' });
    expect(await bus.isHealthy()).toBe(false);
    await server.start();
    await vi.waitFor(async () => expect(await bus.isHealthy()).toBe(true), PATIENCE);
    await bus.publish(message(1));
    await vi.waitFor(() => expect(got).toEqual([1]), PATIENCE);
  });

  test('closes at once although there never was a server', async () => {
    const bus = buses.open();
    await bus.subscribe({ queue, maxInFlightPerPartition: 2 }, async () => undefined);
    await bus.close();
    expect(await bus.isHealthy()).toBe(false);
  });

  test('closes while the server is down that it was connected to', async () => {
    await server.start();
    const bus = buses.open();
    await bus.subscribe({ queue, maxInFlightPerPartition: 2 }, async () => undefined);
    await server.kill();
    await bus.close();
    await expect(bus.publish(message(1))).rejects.toMatchObject({ name: 'RetryableError', code: 'BUS_CLOSED' });
  });

  test('waits while its stream cannot be created, says why, and goes on without a new connection', async () => {
    await server.start();
    await createRawStream(server.url, 'somebody-else', 'outage.>');
    const bus = buses.open();
    const got: unknown[] = [];
    await bus.subscribe({ queue, maxInFlightPerPartition: 2 }, async ({ data }) => void got.push(data));
    await expect(bus.publish(message(1))).rejects.toThrow('subjects overlap');
    expect(await bus.isHealthy()).toBe(false);
    await deleteStream(server.url, 'somebody-else');
    await publishAll(bus, [message(1)], () => undefined);
    await vi.waitFor(() => expect(got).toEqual([1]), PATIENCE);
  });

  test('loses no accepted message when the server is killed and started again while messages flow', async () => {
    await server.start();
    const handled = new Set<unknown>();
    for (const bus of [buses.open(), buses.open()]) {
      await bus.subscribe({ queue, maxInFlightPerPartition: 8 }, async ({ data }) => {
        await sleep(1);
        handled.add(data);
      });
    }
    const publisher = buses.open();
    const indices = Array.from({ length: 1_500 }, (_, index) => index);
    let accepted = 0;
    const publishing = publishAll(publisher, indices.map(message), () => {
      accepted += 1;
    });
    for (const kills of [1, 2, 3]) {
      await vi.waitFor(() => expect(accepted).toBeGreaterThan(kills * 300), PATIENCE);
      await server.kill();
      await vi.waitFor(async () => expect(await publisher.isHealthy()).toBe(false), PATIENCE);
      await server.start();
    }
    await publishing;
    await vi.waitFor(() => expect(handled.size).toBe(indices.length), PATIENCE);
    expect(buses.deadLetters).toEqual([]);
  });

  test('keeps a message it accepted before the server was killed, with nobody subscribed', async () => {
    await server.start();
    const bus = buses.open();
    await bus.publish(message(1));
    await server.kill();
    await server.start();
    const got: unknown[] = [];
    await buses.open().subscribe({ queue, maxInFlightPerPartition: 1 }, async ({ data }) => void got.push(data));
    await vi.waitFor(() => expect(got).toEqual([1]), PATIENCE);
  });

  test('goes on when the server comes back without its data', async () => {
    await server.start();
    const bus = buses.open();
    const got: unknown[] = [];
    await bus.subscribe({ queue, maxInFlightPerPartition: 2 }, async ({ data }) => void got.push(data));
    await bus.publish(message(1));
    await vi.waitFor(() => expect(got).toEqual([1]), PATIENCE);
    await server.kill();
    await server.wipe();
    await vi.waitFor(async () => expect(await bus.isHealthy()).toBe(false), PATIENCE);
    await server.start();
    await publishAll(bus, [message(2), message(3)], () => undefined);
    await vi.waitFor(() => expect(new Set(got)).toEqual(new Set([1, 2, 3])), PATIENCE);
  });
});

/** Publishes as an outbox does: a refused message stays with us and is published again. */
async function publishAll(bus: Bus, messages: readonly BusMessage[], onAccepted: () => void): Promise<void> {
  for (const message of messages) {
    for (let isAccepted = false; !isAccepted; ) {
      try {
        await bus.publish(message);
        isAccepted = true;
        onAccepted();
      } catch (error) {
        if (!(error instanceof RetryableError)) throw error;
        await sleep(20);
      }
    }
  }
}
