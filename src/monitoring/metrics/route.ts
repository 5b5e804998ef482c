import type { FastifyPluginAsync } from 'fastify';
import type { Metrics } from './create-metrics.ts';

/** `GET /metrics`, for Prometheus. Whoever reads it learns how much business is done: it belongs on the port of monitoring. */
export function metricsRoute(metrics: Pick<Metrics, 'text'>): FastifyPluginAsync {
  return async (app) => {
    app.get('/metrics', async (_request, reply) => {
      const { contentType, body } = await metrics.text();
      return reply.headers({ 'content-type': contentType, 'cache-control': 'no-store' }).send(body);
    });
  };
}
