import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Bus, BusMessage } from '../../../src/platform/bus/index.ts';
import { createNatsBus, PARTITIONS } from '../../../src/platform/bus/index.ts';
import { describeWith } from '../../support/run/components.ts';
import { provideNats } from '../../support/service/nats.ts';
import { describeBusContract } from './contract.ts';
import type { Buses, OpenBus } from './harness.ts';
import { createBuses, createGate, newQueue, silentLog } from './harness.ts';
import { abandonMessage, publishRaw } from './nats-raw.ts';
import { describeNothingLost } from './nothing-lost.ts';

const nats = provideNats();
const describeWithNats = describeWith('nats');
const url = nats?.url ?? '';
const prefix = nats?.prefix ?? '';
afterAll(() => nats?.cleanUp());

const openBus: OpenBus = (parts) => createNatsBus({ ...parts, url, prefix });
const POLLING = { timeout: 30_000, interval: 5 };

const PARTS = { deadLetter: async () => undefined, log: silentLog } as const;

/**
 * Short, so that a test sees redelivery after the ack wait; longer than a busy machine delays a
 * process. Tests without redelivery use the service's ack wait.
 */
const ACK_WAIT_MS = 2_000;

describeBusContract(describeWithNats, 'The NATS bus', openBus);
describeNothingLost(describeWithNats, 'The NATS bus', openBus, 10);

describeWithNats('the NATS bus', () => {
  let buses: Buses;
  /** Buses with a short ack wait. */
  let impatient: Buses;
  let queue: string;
  beforeEach(() => {
    buses = createBuses(openBus);
    impatient = createBuses((parts) => createNatsBus({ ...parts, url, prefix, ackWaitMs: ACK_WAIT_MS }));
    queue = newQueue();
  });
  afterEach(() => Promise.all([buses.closeAll(), impatient.closeAll()]));

  function message(index: number, partition = 0): BusMessage {
    return { queue, partition, id: `${queue}-${index}`, data: index };
  }

  test('two processes share the messages of a queue, each delivered to exactly one of them', async () => {
    const taken: [unknown[], unknown[]] = [[], []];
    const publisher = buses.open();
    for (const mine of taken) {
      await buses.open().subscribe({ queue, maxInFlightPerPartition: 8 }, async ({ data }) => {
        // Handlers take time, so that one process cannot handle all messages alone.
        await sleep(1);
        mine.push(data);
      });
    }
    const indices = Array.from({ length: 600 }, (_, index) => index);
    await Promise.all(indices.map((index) => publisher.publish(message(index, index % PARTITIONS))));
    await vi.waitFor(() => expect(taken.flat()).toHaveLength(indices.length), POLLING);
    expect(new Set(taken.flat()).size).toBe(indices.length);
    expect(taken.map((mine) => mine.length > 0)).toEqual([true, true]);
  });

  test('a handler slower than the ack wait keeps its message', async () => {
    const begun: unknown[] = [];
    const ended: unknown[] = [];
    const [one, other] = [impatient.open(), impatient.open()];
    for (const bus of [one, other]) {
      await bus.subscribe({ queue, maxInFlightPerPartition: 1, partitions: [0] }, async ({ data }) => {
        begun.push(data);
        // Longer than NATS waits for an acknowledgement before it delivers a message again.
        if (data === 1) await sleep(ACK_WAIT_MS * 1.5);
        ended.push(data);
      });
    }
    await one.publish(message(1));
    await one.publish(message(2));
    await vi.waitFor(() => expect(ended).toEqual([1, 2]), POLLING);
    expect(begun).toEqual([1, 2]);
  });

  test('a process that stalls longer than the ack wait does not run a handler twice at once', async () => {
    const gate = createGate();
    const bus = impatient.open();
    const begun: number[] = [];
    const ended: unknown[] = [];
    await bus.subscribe({ queue, maxInFlightPerPartition: 2, partitions: [0, 1] }, async ({ data, attempt }) => {
      if (data === 2) return gate.open();
      begun.push(attempt);
      stallProcess(ACK_WAIT_MS * 2);
      await gate.opened;
      ended.push(data);
    });
    await bus.publish(message(1));
    await vi.waitFor(() => expect(begun).toEqual([1]), POLLING);
    await bus.publish(message(2, 1));
    await vi.waitFor(() => expect(ended).toEqual([1]), POLLING);
    expect(begun).toEqual([1]);
  });

  test('the message of a dead process is redelivered to another one', async () => {
    const bus = impatient.open();
    const options = { queue, maxInFlightPerPartition: 1, partitions: [0] };
    const subscription = await bus.subscribe(options, async () => undefined);
    await subscription.stop();
    await bus.publish(message(1));
    await abandonMessage(url, prefix, queue);
    const got: unknown[] = [];
    await impatient.open().subscribe(options, async ({ data, attempt }) => void got.push({ data, attempt }));
    await vi.waitFor(() => expect(got).toEqual([{ data: 1, attempt: 2 }]), POLLING);
  });

  test('messages in transit to a stopping subscription are redelivered to others at once, before the ack wait ends', async () => {
    const open = () => createNatsBus({ ...PARTS, url, prefix, ackWaitMs: 10 * POLLING.timeout });
    const [publisher, one, other] = [open(), open(), open()];
    try {
      const got: unknown[] = [];
      const options = { queue, maxInFlightPerPartition: 64 };
      const indices = Array.from({ length: 1_200 }, (_, index) => index);
      for (let first = 0; first < indices.length; first += 50) {
        const some = indices.slice(first, first + 50);
        await Promise.all(some.map((index) => publisher.publish(message(index, index % PARTITIONS))));
      }
      // Stops itself midway: a caller outside might come when all is done.
      let stopped: Promise<void> | undefined;
      const stopping = one.subscribe(options, async ({ data }) => {
        // On a busy machine all messages would otherwise be done before the subscription is there.
        const subscription = await stopping;
        got.push(data);
        if (got.length === 20) stopped = subscription.stop();
        // Messages that arrive now wait in the socket: more of them, the busier a process is.
        stallProcess(1);
      });
      await vi.waitFor(() => expect(stopped).toBeDefined(), POLLING);
      await stopped;
      const early = got.length;
      await other.subscribe(options, async ({ data }) => void got.push(data));
      await vi.waitFor(() => expect(got).toHaveLength(indices.length), POLLING);
      expect(new Set(got).size).toBe(indices.length);
      expect(early).toBeLessThan(indices.length);
    } finally {
      await Promise.all([publisher, one, other].map((bus) => bus.close()));
    }
  });

  test('the message of a handler that outlasts the stop timeout is redelivered to another process', async () => {
    const gate = createGate();
    const [one, other] = [buses.open(), buses.open()];
    const options = { queue, maxInFlightPerPartition: 1, partitions: [0] };
    let begun = 0;
    const stuck = await one.subscribe(options, async () => {
      begun += 1;
      await gate.opened;
    });
    await one.publish(message(1));
    await vi.waitFor(() => expect(begun).toBe(1), POLLING);
    await stuck.stop(1);
    const got: unknown[] = [];
    await other.subscribe(options, async ({ data, attempt }) => void got.push({ data, attempt }));
    await vi.waitFor(() => expect(got).toEqual([{ data: 1, attempt: 2 }]), POLLING);
    // The late end of the first handler has no effect.
    gate.open();
    await other.publish(message(2));
    await vi.waitFor(
      () =>
        expect(got).toEqual([
          { data: 1, attempt: 2 },
          { data: 2, attempt: 1 },
        ]),
      POLLING,
    );
  });

  test('existing consumers adopt a changed number in flight', async () => {
    const first = buses.open();
    const one = await first.subscribe({ queue, maxInFlightPerPartition: 1, partitions: [0] }, async () => undefined);
    await one.stop();
    const gate = createGate();
    let running = 0;
    await first.subscribe({ queue, maxInFlightPerPartition: 3, partitions: [0] }, async () => {
      running += 1;
      await gate.opened;
    });
    for (let index = 0; index < 3; index += 1) await first.publish(message(index));
    await vi.waitFor(() => expect(running).toBe(3), POLLING);
    gate.open();
  });

  test('a foreign message in the stream that is not JSON becomes a dead letter', async () => {
    const bus = buses.open();
    await bus.subscribe({ queue, maxInFlightPerPartition: 1, partitions: [0] }, async () => undefined);
    await publishRaw(url, `${prefix}.${queue}.0`, 'not json');
    await vi.waitFor(() => expect(buses.deadLetters).toHaveLength(1), POLLING);
    expect(buses.deadLetters[0]).toMatchObject({ message: { queue, partition: 0, data: 'not json' } });
    expect(buses.deadLetters[0]?.reason).toContain('not JSON');
  });

  test('a message larger than the server accepts is rejected permanently, with the remedy', async () => {
    const bus = buses.open();
    const rejected = bus.publish({ ...message(1), data: 'x'.repeat(2 * 1024 * 1024) });
    await expect(rejected).rejects.toMatchObject({ name: 'TerminalError', code: 'BUS_MESSAGE_REFUSED' });
    await expect(rejected).rejects.toThrow('max_payload');
  });
});

test('an invalid URL is rejected immediately, and the error does not repeat its password', () => {
  const open = (url: string): Bus =>
    createNatsBus({ url, prefix: 'p', deadLetter: async () => undefined, log: console });
  for (const url of ['https://user:secret@host', 'nats://', 'user:secret@host', '']) {
    expect(() => open(url)).toThrow('must have a form such as nats://');
    expect(() => open(url)).not.toThrow('secret');
  }
});

/** Blocks this process without computing. */
function stallProcess(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs);
}
