import { expect, test } from 'vitest';
import { createLocalBus, createTracedBus } from '../../../src/platform/bus/index.ts';
import { noTracer } from '../../../src/platform/tracer.ts';
import { silentLog } from '../../support/silent-log.ts';

test('a traced bus stops waiting for handlers at its timeout, like the wrapped bus', async () => {
  const bus = createLocalBus({ deadLetter: async () => {}, log: silentLog, failureDelaysMs: [1] });
  const traced = createTracedBus(bus, { tracer: noTracer, system: 'quittance' });
  let isCalled = () => {};
  const called = new Promise<void>((resolve) => {
    isCalled = resolve;
  });
  await traced.subscribe({ queue: 'never-done', partitions: [0], maxInFlightPerPartition: 1 }, () => {
    isCalled();
    return new Promise(() => {});
  });
  traced.publish({ queue: 'never-done', partition: 0, id: 'one', data: {} }).catch(() => {});
  await called;
  await traced.close(10);
  expect(await bus.isHealthy()).toBe(false);
});
