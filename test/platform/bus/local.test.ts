import { describe, expect, test, vi } from 'vitest';
import type { BusMessage } from '../../../src/platform/bus/index.ts';
import { createLocalBus } from '../../../src/platform/bus/index.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import type { DescribeSuite } from '../../support/run/skip.ts';
import { describeBusContract } from './contract.ts';
import { createBuses, createGate } from './harness.ts';
import { describeNothingLost } from './nothing-lost.ts';

const describeSuite: DescribeSuite = (name, body) => void describe(name, body);

describeBusContract(describeSuite, 'The in-process bus', createLocalBus);
describeNothingLost(describeSuite, 'The in-process bus', createLocalBus, 60);

describe('the in-process bus', () => {
  const message: BusMessage = { queue: 'actor', partition: 0, id: 'm-1', data: 1 };

  test('publish resolves only when a handler has settled the message, and so does a second publish of it', async () => {
    const bus = createBuses(createLocalBus).open();
    const gate = createGate();
    const events: string[] = [];
    const first = bus.publish(message).then(() => events.push('first resolved'));
    await bus.subscribe({ queue: 'actor', maxInFlightPerPartition: 1 }, async () => {
      events.push('handler began');
      await gate.opened;
      events.push('handler ended');
    });
    await vi.waitFor(() => expect(events).toEqual(['handler began']));
    const second = bus.publish(message).then(() => events.push('second resolved'));
    gate.open();
    await Promise.all([first, second]);
    expect(events).toEqual(['handler began', 'handler ended', 'first resolved', 'second resolved']);
    await bus.close();
  });

  test('publish resolves for a dead letter only when the dead letter is stored', async () => {
    const gate = createGate();
    const events: string[] = [];
    const bus = createBuses(createLocalBus).open(async () => {
      events.push('storing');
      await gate.opened;
      events.push('stored');
    });
    await bus.subscribe({ queue: 'actor', maxInFlightPerPartition: 1 }, () => Promise.reject(new Error('bug')));
    const published = bus.publish(message).then(() => events.push('published'));
    await vi.waitFor(() => expect(events).toEqual(['storing']));
    gate.open();
    await published;
    expect(events).toEqual(['storing', 'stored', 'published']);
    await bus.close();
  });

  test('close() rejects messages that wait for a handler or a retry, so that the publisher keeps them', async () => {
    const bus = createBuses(createLocalBus).open();
    const attempted = createGate();
    await bus.subscribe({ queue: 'actor', maxInFlightPerPartition: 1 }, async () => {
      attempted.open();
      throw new RetryableError('BUSY', 'later', { retryAfterMs: 60_000 });
    });
    const publishes = ['m-1', 'm-2'].map((id) => bus.publish({ ...message, id }));
    const results = Promise.allSettled(publishes);
    await attempted.opened;
    await bus.close();
    for (const result of await results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'RetryableError', code: 'BUS_CLOSED' } });
    }
  });

  test('two subscriptions of one queue share its messages, each delivered to one of them', async () => {
    const bus = createBuses(createLocalBus).open();
    const taken: [string[], string[]] = [[], []];
    for (const mine of taken) {
      await bus.subscribe({ queue: 'actor', maxInFlightPerPartition: 1 }, async ({ id }) => void mine.push(id));
    }
    const ids = Array.from({ length: 20 }, (_, index) => `m-${index}`);
    await Promise.all(ids.map((id) => bus.publish({ ...message, id })));
    expect(taken.flat().sort()).toEqual([...ids].sort());
    expect(taken.map((mine) => mine.length)).toEqual([10, 10]);
    await bus.close();
  });
});
