import type { FastifyInstance } from 'fastify';

/** Told of every request the server answers. Called in the middle of the work: quick, and it must not throw. */
export interface RequestObserver {
  /** A request has come in; to be told when it is over. */
  began(): (end: RequestEnd) => void;
}

export interface RequestEnd {
  readonly method: string;
  /** The pattern of the route, never the address that was asked for; null when there is no such route. */
  readonly route: string | null;
  readonly status: number;
  /** The client went away before it had all of the answer. */
  readonly isCutOff: boolean;
  readonly durationMs: number;
}

/** Tells of the requests of this scope. Those that are no HTTP are answered by the server alone, and not told of. */
export function observeRequests(app: FastifyInstance, observer: RequestObserver): void {
  app.addHook('onRequest', async (request, { raw }) => {
    const startedAt = performance.now();
    const ended = observer.began();
    // Unlike the hooks after an answer, this comes also when the client goes away.
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
