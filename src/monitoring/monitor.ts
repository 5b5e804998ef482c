import { type FastifyPluginAsync, fastify } from 'fastify';
import { messageOf, TerminalError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';

/** Monitoring endpoints of a process, on a separate port, regardless of its roles. */
export interface Monitor {
  /** Base URL, without a trailing slash; null before `listen`. */
  url(): string | null;
  /** Rejects with a `TerminalError` that names the setting when the port is not available. */
  listen(): Promise<void>;
  /** Closes open connections; clients retry. */
  close(): Promise<void>;
}

export interface MonitorDeps {
  readonly host: string;
  /** 0 selects any free port. */
  readonly port: number;
  readonly routes: readonly FastifyPluginAsync[];
  readonly log: Log;
}

/** Creates the server, not yet listening. */
export function createMonitor({ host, port, routes, log }: MonitorDeps): Monitor {
  const app = fastify({ forceCloseConnections: true, pluginTimeout: 0 });
  let url: string | null = null;
  app.setErrorHandler((error, request, reply) => {
    log.error({ reason: messageOf(error), route: request.routeOptions.url }, 'a monitoring request failed');
    return reply.code(500).send({ status: 'failed' });
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ status: 'not_found' }));
  for (const plugin of routes) app.register(plugin);

  return {
    url: () => url,
    async listen() {
      try {
        url = await app.listen({ host, port, listenTextResolver: (address) => address });
      } catch (error) {
        throw portRejected(error, host, port);
      }
      log.info({ url }, 'monitoring is listening');
    },
    async close() {
      await app.close();
    },
  };
}

// Helpers

function portRejected(error: unknown, host: string, port: number): unknown {
  const { code, syscall } = error as Partial<NodeJS.ErrnoException>;
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error;
  const why = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be listened on (${code})`;
  const message = `Port ${port} on ${host} ${why}. Set MONITOR_PORT or MONITOR_HOST to a free address.`;
  return new TerminalError('PORT_TAKEN', message, { cause: error });
}
