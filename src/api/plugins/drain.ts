import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { SECOND_MS } from '../../../machines/index.ts';

/** Whoever connects in order to ask asks at once; a connection without a request for this long was opened ahead. */
const UNUSED_MS = SECOND_MS;
const LOOK_EVERY_MS = 50;

/**
 * While the service drains, every answer asks its client to close the connection. Clients and balancers that keep connections
 * then open their next one elsewhere, and none of them sends a request into a connection that is just being closed.
 */
export function closeConnectionsWhile(app: FastifyInstance, isDraining: () => boolean): void {
  // At the end of a request, so that one that had begun before is told as well.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining()) void reply.header('Connection', 'close');
    done(null, payload);
  });
}

/**
 * A server that closes waits for its connections. Node.js closes those that are idle, but takes one on which nothing has come yet for
 * a busy one, and looks for requests that take too long no more: a connection that a browser has opened ahead, as they do, would hold
 * up the close for as long as the browser likes. One that was opened a moment ago may still bring its request.
 */
export function closeUnusedConnections(app: FastifyInstance): void {
  const openedAt = new Map<Socket, number>();
  let timer: NodeJS.Timeout | undefined;

  function closeUnused(): void {
    const before = performance.now() - UNUSED_MS;
    for (const [socket, at] of openedAt) if (at <= before && socket.bytesRead === 0) socket.destroy();
  }

  app.server.on('connection', (socket) => {
    openedAt.set(socket, performance.now());
    socket.once('close', () => openedAt.delete(socket));
  });
  app.addHook('preClose', async () => {
    // What has arrived while this process was busy is read before it looks.
    timer = setInterval(() => setImmediate(closeUnused), LOOK_EVERY_MS);
  });
  // Once all connections are closed.
  app.addHook('onClose', async () => clearInterval(timer));
}
