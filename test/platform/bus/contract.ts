import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Bus, BusMessage, ReceivedMessage } from '../../../src/platform/bus/index.ts';
import { MAX_HANDLER_FAILURES, PARTITIONS } from '../../../src/platform/bus/index.ts';
import { RetryableError, TerminalError } from '../../../src/platform/errors.ts';
import { newId } from '../../../src/platform/ids.ts';
import {
  bindRequestContext,
  currentContext,
  runInContext,
  runInNewContext,
  serializeContext,
} from '../../../src/platform/request-context.ts';
import type { DescribeSuite } from '../../support/run/skip.ts';
import type { Buses, OpenBus } from './harness.ts';
import { createBuses, createGate, newQueue, publishQuietly } from './harness.ts';

/** Generous for a busy machine; every wait ends as soon as its condition holds. */
const POLLING = { timeout: 30_000, interval: 5 };

const RETRY_SOON = { retryAfterMs: 1 };

/** The guarantees of `Bus` that every implementation keeps. */
export function describeBusContract(describe: DescribeSuite, name: string, openBus: OpenBus): void {
  describe(`${name} fulfils the bus contract`, () => {
    let buses: Buses;
    let bus: Bus;
    let queue: string;

    beforeEach(() => {
      buses = createBuses(openBus);
      bus = buses.open();
      queue = newQueue();
    });
    afterEach(() => buses.closeAll());

    function message(index: number, partition = 0, data: unknown = index): BusMessage {
      return { queue, partition, id: `${queue}-${partition}-${index}`, data };
    }

    test('messages of one partition are delivered in publish order while several are in flight', async () => {
      const started: unknown[] = [];
      await bus.subscribe({ queue, maxInFlightPerPartition: 8 }, async ({ data }) => {
        started.push(data);
        for (let turns = Number(data) % 7; turns > 0; turns -= 1) await nextTurn();
      });
      const indices = Array.from({ length: 300 }, (_, index) => index);
      await Promise.all(indices.map((index) => bus.publish(message(index))));
      await vi.waitFor(() => expect(started).toHaveLength(indices.length), POLLING);
      expect(started).toEqual(indices);
    });

    test('a message is handled in the request context of its publisher, and its data are unchanged', async () => {
      const requestId = newId('req');
      const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
      const seen: unknown[] = [];
      await bus.subscribe({ queue, maxInFlightPerPartition: 1 }, async ({ data }) => {
        // The previous message's context must not leak, although it ran in the same partition.
        seen.push([data, currentContext()?.ids.requestId, currentContext()?.trace, serializeContext()]);
        bindRequestContext({ merchantId: 'mer_other' });
      });
      const ofNobody = () => runInContext(null, () => bus.publish(message(1)));
      await runInNewContext({ requestId, trace, merchantId: 'mer_1' }, () => bus.publish(message(0)));
      await ofNobody();
      // The message's own trace wins over the publisher's context: the outbox publishes for others.
      await runInNewContext({ requestId: newId('req') }, () => bus.publish({ ...message(2), trace: requestId }));
      await vi.waitFor(() => expect(seen).toHaveLength(3), POLLING);
      expect(seen).toEqual([
        [0, requestId, trace, `${trace} ${requestId} mer_1`],
        [1, null, null, null],
        [2, requestId, null, requestId],
      ]);
    });

    test('a partition has at most the requested number of messages in flight, and does not block another one', async () => {
      const gate = createGate();
      const running = new Map<number, number>();
      let most = 0;
      let handled = 0;
      await bus.subscribe({ queue, maxInFlightPerPartition: 3 }, async ({ partition }) => {
        const now = (running.get(partition) ?? 0) + 1;
        running.set(partition, now);
        most = Math.max(most, now);
        if (partition === 0) await gate.opened;
        running.set(partition, (running.get(partition) ?? 0) - 1);
        handled += 1;
      });
      for (let index = 0; index < 10; index += 1) publishQuietly(bus, message(index));
      await vi.waitFor(() => expect(running.get(0)).toBe(3), POLLING);
      await bus.publish(message(0, 1));
      await vi.waitFor(() => expect(handled).toBe(1), POLLING);
      expect(running.get(0)).toBe(3);
      gate.open();
      await vi.waitFor(() => expect(handled).toBe(11), POLLING);
      expect(most).toBe(3);
    });

    test('every partition is delivered, and a subscription to some partitions receives only theirs', async () => {
      const some: number[] = [];
      const rest: number[] = [];
      const partitions = [3, 5];
      const others = Array.from({ length: PARTITIONS }, (_, index) => index).filter(
        (index) => !partitions.includes(index),
      );
      await bus.subscribe(
        { queue, maxInFlightPerPartition: 2, partitions },
        async (got) => void some.push(got.partition),
      );
      await bus.subscribe({ queue, maxInFlightPerPartition: 2, partitions: others }, async (got) => {
        rest.push(got.partition);
      });
      await Promise.all(Array.from({ length: PARTITIONS }, (_, partition) => bus.publish(message(0, partition))));
      await vi.waitFor(() => expect(some.length + rest.length).toBe(PARTITIONS), POLLING);
      expect(new Set(some)).toEqual(new Set(partitions));
      expect(rest.sort((a, b) => a - b)).toEqual(others);
    });

    test('a handler receives the message as published, on the first attempt', async () => {
      const got: ReceivedMessage[] = [];
      await bus.subscribe({ queue, maxInFlightPerPartition: 1 }, async (received) => void got.push(received));
      const data = {
        text: 'Größe "1"\n',
        list: [1, null, true],
        nested: { amount: '340282366920938463463374607431768211456' },
      };
      await bus.publish(message(1, 7, data));
      await vi.waitFor(() => expect(got).toHaveLength(1), POLLING);
      expect(got).toEqual([{ ...message(1, 7, data), trace: null, attempt: 1 }]);
      expect(got[0]?.data).not.toBe(data);
    });

    test('a second publish of an id is dropped, both concurrently and later', async () => {
      const got: unknown[] = [];
      await bus.subscribe({ queue, maxInFlightPerPartition: 4 }, async ({ data }) => void got.push(data));
      await Promise.all([bus.publish(message(1)), bus.publish(message(1))]);
      await vi.waitFor(() => expect(got).toHaveLength(1), POLLING);
      await bus.publish(message(1));
      await bus.publish(message(2));
      await vi.waitFor(() => expect(got).toContain(2), POLLING);
      expect(got).toEqual([1, 2]);
    });

    test('a RetryableError redelivers the message as often as needed, and never creates a dead letter', async () => {
      const attempts: number[] = [];
      await bus.subscribe({ queue, maxInFlightPerPartition: 1 }, async ({ attempt }) => {
        attempts.push(attempt);
        if (attempt <= MAX_HANDLER_FAILURES + 4) throw new RetryableError('BUSY', 'later', RETRY_SOON);
      });
      await bus.publish(message(1));
      const expected = Array.from({ length: MAX_HANDLER_FAILURES + 5 }, (_, index) => index + 1);
      await vi.waitFor(() => expect(attempts).toEqual(expected), POLLING);
      expect(buses.deadLetters).toEqual([]);
    });

    test('with several in flight, others overtake a message that waits for its retry', async () => {
      const got: unknown[] = [];
      const gate = createGate();
      await bus.subscribe({ queue, maxInFlightPerPartition: 2 }, async ({ data, attempt }) => {
        if (data === 'slow' && attempt === 1) throw new RetryableError('BUSY', 'later', { retryAfterMs: 300 });
        if (data === 'slow') await gate.opened;
        got.push(data);
      });
      publishQuietly(bus, message(1, 0, 'slow'));
      for (let index = 2; index < 8; index += 1) publishQuietly(bus, message(index));
      await vi.waitFor(() => expect(got).toEqual([2, 3, 4, 5, 6, 7]), POLLING);
      gate.open();
      await vi.waitFor(() => expect(got.at(-1)).toBe('slow'), POLLING);
    });

    test('with one in flight, a partition waits for the retry of its message: the order is strict', async () => {
      const got: unknown[] = [];
      await bus.subscribe({ queue, maxInFlightPerPartition: 1 }, async ({ data, attempt }) => {
        if (Number(data) % 2 === 0 && attempt < 3) throw new RetryableError('BUSY', 'later', { retryAfterMs: 20 });
        got.push(data);
      });
      await Promise.all([0, 1, 2, 3, 4].map((index) => bus.publish(message(index))));
      await vi.waitFor(() => expect(got).toEqual([0, 1, 2, 3, 4]), POLLING);
    });

    test('a TerminalError creates a dead letter with the reason, and the message is not redelivered', async () => {
      const got: unknown[] = [];
      await bus.subscribe({ queue, maxInFlightPerPartition: 1 }, async ({ data }) => {
        got.push(data);
        if (data !== 'next') throw new TerminalError('NO_SUCH_ACTOR', 'no actor has this id');
      });
      await bus.publish(message(1, 2, { some: 'data' }));
      await bus.publish(message(2, 2, 'next'));
      await vi.waitFor(() => expect(got).toEqual([{ some: 'data' }, 'next']), POLLING);
      expect(buses.deadLetters).toEqual([
        { message: message(1, 2, { some: 'data' }), reason: 'NO_SUCH_ACTOR: no actor has this id' },
      ]);
    });

    test('an unknown error creates a dead letter after MAX_HANDLER_FAILURES failures', async () => {
      const attempts: number[] = [];
      await bus.subscribe({ queue, maxInFlightPerPartition: 1 }, async ({ attempt }) => {
        attempts.push(attempt);
        // Retries in between do not count as failures.
        if (attempt % 2 === 0) throw new RetryableError('BUSY', 'later', RETRY_SOON);
        throw new TypeError('x is not a function');
      });
      await bus.publish(message(1));
      await vi.waitFor(() => expect(buses.deadLetters).toHaveLength(1), POLLING);
      expect(attempts).toHaveLength(MAX_HANDLER_FAILURES * 2 - 1);
      expect(buses.deadLetters[0]?.reason).toContain('x is not a function');
    });

    test('a message whose dead letter cannot be stored is redelivered until it is stored', async () => {
      const stored: BusMessage[] = [];
      let rejections = 2;
      const bus = buses.open(async (dead) => {
        rejections -= 1;
        if (rejections >= 0) throw new RetryableError('DATABASE_DOWN', 'later', RETRY_SOON);
        stored.push(dead);
      });
      let handed = 0;
      await bus.subscribe({ queue, maxInFlightPerPartition: 1 }, async () => {
        handed += 1;
        throw new TerminalError('POISON', 'never');
      });
      await bus.publish(message(1));
      await vi.waitFor(() => expect(stored).toEqual([message(1)]), POLLING);
      expect(handed).toBe(3);
    });

    test('messages published before the first subscription wait for it', async () => {
      for (let index = 0; index < 5; index += 1) publishQuietly(bus, message(index));
      const got: unknown[] = [];
      await bus.subscribe({ queue, maxInFlightPerPartition: 1 }, async ({ data }) => void got.push(data));
      await vi.waitFor(() => expect(got).toEqual([0, 1, 2, 3, 4]), POLLING);
    });

    test('a message whose publish resolved is handled even if its bus closes at once; otherwise publish rejects', async () => {
      const got: unknown[] = [];
      const handle = async ({ data }: ReceivedMessage): Promise<void> => {
        for (let turns = 0; turns < 3; turns += 1) await nextTurn();
        got.push(data);
      };
      await bus.subscribe({ queue, maxInFlightPerPartition: 2 }, handle);
      const published = Array.from({ length: 50 }, (_, index) => bus.publish(message(index)));
      await Promise.any(published);
      await bus.close();
      const results = await Promise.allSettled(published);
      const successor = buses.open();
      await successor.subscribe({ queue, maxInFlightPerPartition: 2 }, handle);
      for (const [index, result] of results.entries()) {
        if (result.status === 'fulfilled') continue;
        expect(result.reason).toBeInstanceOf(RetryableError);
        await successor.publish(message(index));
      }
      await vi.waitFor(() => expect(new Set(got).size).toBe(results.length), POLLING);
    });

    test('stop() waits for running handlers and accepts no further message', async () => {
      const gate = createGate();
      const got: unknown[] = [];
      const subscription = await bus.subscribe({ queue, maxInFlightPerPartition: 1 }, async ({ data }) => {
        got.push(`${data} begins`);
        await gate.opened;
        got.push(`${data} ends`);
      });
      publishQuietly(bus, message(1));
      publishQuietly(bus, message(2));
      await vi.waitFor(() => expect(got).toEqual(['1 begins']), POLLING);
      let isStopped = false;
      const stopped = subscription.stop().then(() => {
        isStopped = true;
      });
      await nextTurn();
      expect(isStopped).toBe(false);
      gate.open();
      await stopped;
      expect(got).toEqual(['1 begins', '1 ends']);
      await bus.subscribe(
        { queue, maxInFlightPerPartition: 1 },
        async ({ data }) => void got.push(`${data} elsewhere`),
      );
      await vi.waitFor(() => expect(got.at(-1)).toBe('2 elsewhere'), POLLING);
      expect(got).toEqual(['1 begins', '1 ends', '2 elsewhere']);
    });

    test('stop() with a timeout waits no longer than that', async () => {
      const gate = createGate();
      let begun = 0;
      const subscription = await bus.subscribe({ queue, maxInFlightPerPartition: 1 }, async () => {
        begun += 1;
        await gate.opened;
      });
      publishQuietly(bus, message(1));
      await vi.waitFor(() => expect(begun).toBe(1), POLLING);
      await subscription.stop(1);
      gate.open();
    });

    test('counts the messages of each queue that no handler has settled', async () => {
      const gate = createGate();
      const other = newQueue();
      await bus.subscribe({ queue, maxInFlightPerPartition: 1 }, () => gate.opened);
      const published = [message(1), message(2), message(1, 3), { ...message(1, 4), queue: other, id: `${other}-1` }];
      const sent = published.map((each) => bus.publish(each));
      const count = async () => {
        const waiting = await bus.waiting();
        return [waiting?.get(queue), waiting?.get(other)];
      };
      await expect.poll(count, POLLING).toEqual([3, 1]);
      gate.open();
      await expect.poll(count, POLLING).toEqual([undefined, 1]);
      await bus.subscribe({ queue: other, maxInFlightPerPartition: 1 }, async () => undefined);
      await expect.poll(count, POLLING).toEqual([undefined, undefined]);
      await Promise.all(sent);
    });

    test('close() waits for running handlers; afterwards publish rejects and the bus is unhealthy', async () => {
      const gate = createGate();
      const got: string[] = [];
      await bus.subscribe({ queue, maxInFlightPerPartition: 1 }, async () => {
        got.push('begins');
        await gate.opened;
        got.push('ends');
      });
      const published = bus.publish(message(1));
      await vi.waitFor(() => expect(got).toEqual(['begins']), POLLING);
      expect(await bus.isHealthy()).toBe(true);
      const closed = bus.close();
      gate.open();
      await Promise.all([closed, published]);
      expect(got).toEqual(['begins', 'ends']);
      await expect(bus.publish(message(2))).rejects.toBeInstanceOf(RetryableError);
      await expect(bus.subscribe({ queue, maxInFlightPerPartition: 1 }, async () => undefined)).rejects.toBeInstanceOf(
        RetryableError,
      );
      expect(await bus.isHealthy()).toBe(false);
      expect(await bus.waiting()).toBeNull();
    });

    test('an invalid message is rejected to the publisher, with the reason', async () => {
      const notJson = { code: 'BUS_MESSAGE_NOT_JSON' };
      await expect(bus.publish(message(1, 0, { amount: 1n }))).rejects.toMatchObject(notJson);
      await expect(bus.publish({ ...message(2), data: undefined })).rejects.toMatchObject(notJson);
      await expect(bus.publish(message(3, PARTITIONS))).rejects.toBeInstanceOf(RangeError);
      await expect(bus.publish({ ...message(4), queue: 'a.b' })).rejects.toBeInstanceOf(RangeError);
      await expect(bus.publish({ ...message(5), id: 'two words' })).rejects.toBeInstanceOf(RangeError);
      await expect(bus.subscribe({ queue, maxInFlightPerPartition: 0 }, async () => undefined)).rejects.toBeInstanceOf(
        RangeError,
      );
    });
  });
}
