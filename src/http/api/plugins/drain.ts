import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { SECOND_MS } from '../../../../machines/index.ts';

/**
 * Clients that connect to send a request send it immediately; a connection without one for
 * this long is a preconnect.
 */
const UNUSED_MS = SECOND_MS;
const POLL_EVERY_MS = 50;

/**
 * While the service drains, every response asks its client to close the connection. Clients and
 * load balancers with keep-alive connections then open the next one elsewhere, and send no request
 * on a connection that is being closed.
 */
export function closeConnectionsWhile(app: FastifyInstance, isDraining: () => boolean): void {
  // At the end of a request, so that requests already in progress are included.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining()) void reply.header('Connection', 'close');
    done(null, payload);
  });
}

/**
 * A closing server waits for its connections. Node.js closes idle ones, but counts a
 * connection without any data as busy and no longer applies its request timeouts, so one
 * preconnected by a browser could delay the close indefinitely. A connection opened a moment
 * ago may still send its request.
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
    // Data that arrived while the process was busy is read first.
    timer = setInterval(() => setImmediate(closeUnused), POLL_EVERY_MS);
  });
  // Runs once all connections are closed.
  app.addHook('onClose', async () => clearInterval(timer));
}
