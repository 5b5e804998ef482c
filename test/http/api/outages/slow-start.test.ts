import fastify from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import { SERVER_OPTIONS } from '../../../../src/http/api/server.ts';

afterEach(() => vi.useRealTimers());

// Under load, the API reference exceeded Fastify's 10 s plugin timeout, and ended the process.
test('a part of the API that takes a minute to load does not end the process', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let loaded = () => {};
  const app = fastify(SERVER_OPTIONS);
  app.register(async () => new Promise<void>((resolve) => (loaded = resolve)));
  const ready = app.ready().then(
    () => 'ready',
    (error: Error) => error.message,
  );
  await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(60_000);
  loaded();
  expect(await ready).toBe('ready');
  await app.close();
});
