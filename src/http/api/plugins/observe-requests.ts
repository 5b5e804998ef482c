import type { FastifyInstance } from 'fastify';

/**
 * Notified of every request that the server answers. Called while it is processed, so it must
 * be fast and must not throw.
 */
export interface RequestObserver {
  /** A request has been received; returns the function to call when it has ended. */
  began(): (end: RequestEnd) => void;
}

export interface RequestEnd {
  readonly method: string;
  /** Route pattern, never the requested URL; null when there is no such route. */
  readonly route: string | null;
  readonly status: number;
  /** The client disconnected before it had received the whole response. */
  readonly isCutOff: boolean;
  readonly durationMs: number;
}

/**
 * Reports the requests of this scope. Input that is not HTTP is answered by the
 * server itself and not reported.
 */
export function observeRequests(app: FastifyInstance, observer: RequestObserver): void {
  app.addHook('onRequest', async (request, { raw }) => {
    const startedAt = performance.now();
    const ended = observer.began();
    // Unlike Fastify's response hooks, 'close' is also emitted when the client disconnects.
    raw.once('close', () => {
      ended({
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: raw.statusCode,
        isCutOff: !raw.writableFinished,
        durationMs: performance.now() - startedAt,
      });
    });
  });
}
