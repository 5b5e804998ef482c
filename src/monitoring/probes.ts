import type { FastifyPluginAsync } from 'fastify';
import type { Liveness } from './liveness.ts';
import type { Readiness } from './readiness.ts';

export interface Probes {
  readonly readiness: Pick<Readiness, 'read'>;
  readonly liveness: Liveness;
}

/**
 * `GET /live` and `GET /ready`, for orchestrators and load balancers. Not part of the merchant API:
 * no key, no rate limit, and only a status word in the response.
 */
export function probeRoutes({ readiness, liveness }: Probes): FastifyPluginAsync {
  return async (app) => {
    app.get('/live', ROUTE, async (_request, reply) => {
      const response = liveness.read();
      void reply.headers(HEADERS);
      if (response.isLive) return reply.send({ status: 'live' });
      return reply.code(503).send({ status: 'not_live', reason: response.reason });
    });

    app.get('/ready', ROUTE, async (_request, reply) => {
      const response = await readiness.read();
      void reply.headers(HEADERS);
      if (response.isReady) return reply.send({ status: 'ready' });
      return reply.code(503).send({ status: 'not_ready', reason: response.reason });
    });
  };
}

// Helpers

/** Left out of the OpenAPI document of the merchant API. */
const ROUTE = { schema: { hide: true } } as const;

const HEADERS = { 'cache-control': 'no-store' } as const;
