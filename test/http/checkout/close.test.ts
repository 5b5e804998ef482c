import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { checkoutRoutes } from '../../../src/http/checkout/index.ts';
import { POLLING } from '../../support/polling.ts';
import { silentLog } from '../../support/silent-log.ts';
import { readEvents } from './live/event-reader.ts';
import { NOW, SAMPLES } from './samples.ts';

test('a stream that ends after the server began to close also closes its connection', async () => {
  const { completed } = SAMPLES;
  if (completed === undefined) throw new Error('there is no sample of a completed payment');
  const app = fastify();
  let isRequested = false;
  let find = () => {};
  const finding = new Promise<void>((resolve) => {
    find = resolve;
  });
  await app.register(checkoutRoutes, {
    transactions: {
      async get() {
        isRequested = true;
        await finding;
        return completed;
      },
      list: async () => [],
      listVersions: async () => [],
      simulate: () => Promise.reject(new Error('samples cannot be simulated')),
      giveReceiptAddress: () => Promise.reject(new Error('samples do not change')),
    },
    clock: { now: () => NOW },
    log: silentLog,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const reading = readEvents(`${url}/transaction/${completed.id}/events`);
  await expect.poll(() => isRequested, POLLING).toBe(true);
  const closed = app.close();
  await expect.poll(() => app.server.listening, POLLING).toBe(false);
  find();
  const reader = await reading;
  await expect.poll(reader.hasEnded, POLLING).toBe(true);
  expect(reader.events).toHaveLength(1);
  await closed;
});
