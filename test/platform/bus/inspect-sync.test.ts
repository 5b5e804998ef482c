import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { inspectSyncing } from '../../../src/platform/bus/nats/inspect-server.ts';

/** A monitoring port with the response of NATS 2.10.27 for this configuration. */
async function startMonitor(config: object): Promise<number> {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/jsz' ? 200 : 404;
    response.end(JSON.stringify({ config: { store_dir: '/data/jetstream', ...config }, streams: 0 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const server = { version: '2.10.27', servers: ['127.0.0.1:4222'] };
const EVERY_TWO_MINUTES = { sync_interval: 120_000_000_000 };

test('reports a server that syncs each message, and one that syncs every two minutes', async () => {
  const always = await startMonitor({ ...EVERY_TWO_MINUTES, sync_always: true });
  expect(await inspectSyncing(server, always)).toEqual({ kind: 'always' });
  const periodic = await startMonitor(EVERY_TWO_MINUTES);
  expect(await inspectSyncing(server, periodic)).toEqual({ kind: 'periodic', everySeconds: 120 });
});

test('reports the worst of several servers', async () => {
  const always = await startMonitor({ ...EVERY_TWO_MINUTES, sync_always: true });
  // Nothing listens at the same port of the other loopback address.
  const servers = ['127.0.0.1:4222', '127.0.0.2:4222'];
  expect(await inspectSyncing({ ...server, servers }, always)).toEqual({ kind: 'unseen' });
});

test('reports nothing for an old server without the setting, or for a port of another program', async () => {
  const port = await startMonitor({});
  expect(await inspectSyncing({ ...server, version: '2.9.10' }, port)).toEqual({ kind: 'unsupported' });
  expect(await inspectSyncing(server, port)).toEqual({ kind: 'unseen' });
  expect(await inspectSyncing({ ...server, version: '2.12.1' }, 1)).toEqual({ kind: 'unseen' });
});
