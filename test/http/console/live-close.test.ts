import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { liveRoute } from '../../../src/http/console/live/live-route.ts';
import { POLLING } from '../../support/polling.ts';

test('a stream requested before the server closes and opened afterwards ends immediately', async () => {
  const app = fastify();
  let isRequested = false;
  let isFollowed = true;
  let open = () => {};
  const opening = new Promise<void>((resolve) => {
    open = resolve;
  });
  liveRoute(app, {
    async follow(_request, listener) {
      isRequested = true;
      await opening;
      listener.onPosition('17-1');
      return () => {
        isFollowed = false;
      };
    },
  });
  const answer = fetch(`${await app.listen({ host: '127.0.0.1', port: 0 })}/live`);
  await expect.poll(() => isRequested, POLLING).toBe(true);
  const closed = app.close();
  await expect.poll(() => app.server.listening, POLLING).toBe(false);
  open();
  const response = await answer;
  await closed;
  // The stream sends its position before it ends, so a client can continue at another process.
  expect(await response.text()).toContain('id: 17-1\n');
  expect(isFollowed).toBe(false);
});
