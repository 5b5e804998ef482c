import type { FastifyPluginAsync } from 'fastify';
import { MINUTE_MS } from '../../machines/index.ts';
import type { EngineLoad } from '../platform/engine/index.ts';
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

/**
 * Whether this process still works; if not, it should be restarted. Any response shows that its
 * event loop runs. Every statement has a time limit, so an engine batch that runs for minutes waits
 * on a dead connection, and only a new process recovers from that.
 *
 * Neither the database nor NATS is checked: a restart would fix neither, and would stop what still
 * works.
 */
interface Liveness {
  read(): LivenessResponse;
}

type LivenessResponse = { readonly isLive: true } | { readonly isLive: false; readonly reason: 'engine_stuck' };

/** Ten statements that each reach their limit of 30 s. */
const STUCK_AFTER_MS = 5 * MINUTE_MS;

export function createLiveness({ load }: { readonly load: () => Pick<EngineLoad, 'batchForMs'> }): Liveness {
  return {
    read() {
      const isStuck = (load().batchForMs ?? 0) > STUCK_AFTER_MS;
      return isStuck ? { isLive: false, reason: 'engine_stuck' } : { isLive: true };
    },
  };
}

// Helpers

/** Left out of the OpenAPI document of the merchant API. */
const ROUTE = { schema: { hide: true } } as const;

const HEADERS = { 'cache-control': 'no-store' } as const;
