import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeUnusedConnections } from '../../../src/http/api/plugins/drain.ts';
import { POLLING } from '../../support/polling.ts';

const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

let app: FastifyInstance;
let sockets: Socket[];
beforeEach(() => {
  // The clock that measures a connection's age stands still until the test advances it.
  vi.useFakeTimers({ toFake: ['performance'] });
  app = fastify({ return503OnClosing: false });
  closeUnusedConnections(app);
  app.get('/', async () => 'here');
  sockets = [];
});
afterEach(async () => {
  vi.useRealTimers();
  for (const socket of sockets) socket.destroy();
  await app.close();
});

test('a closing server ends aged connections at once, and gives one just opened time for its request', async () => {
  const aged = await openConnection();
  vi.advanceTimersByTime(999);
  const [fresh, silent] = [await openConnection(), await openConnection()];
  const response = readAll(fresh);
  vi.advanceTimersByTime(1);
  const closed = app.close();
  await once(aged, 'close');
  fresh.write(REQUEST);
  expect(await response).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n.*here$/is);
  expect(silent.closed).toBe(false);
  const ended = once(silent, 'close');
  vi.advanceTimersByTime(999);
  await ended;
  await closed;
});

test('a running request is not cut off, however long ago its connection was opened', async () => {
  let finish = (_text: string) => {};
  let hasArrived = false;
  app.get('/slow', (_request, reply) => {
    hasArrived = true;
    finish = (text) => void reply.header('connection', 'close').send(text);
  });
  const [busy, ahead] = [await openConnection(), await openConnection()];
  const response = readAll(busy);
  busy.write(REQUEST.replace('/', '/slow'));
  await expect.poll(() => hasArrived, POLLING).toBe(true);
  vi.advanceTimersByTime(60_000);
  const closed = app.close();
  await once(ahead, 'close');
  finish('at last');
  await closed;
  expect(await response).toMatch(/at last$/);
});

/** Everything received until the server disconnects. */
async function readAll(socket: Socket): Promise<string> {
  const chunks = await socket.setEncoding('utf8').toArray();
  return chunks.join('');
}

/** A connection that the server has accepted. */
async function openConnection(): Promise<Socket> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen at a port');
  const accepted = once(app.server, 'connection');
  const socket = connect(address.port, '127.0.0.1');
  sockets.push(socket);
  await Promise.all([once(socket, 'connect'), accepted]);
  return socket;
}
