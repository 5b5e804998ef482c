import type { FastifyPluginAsync } from 'fastify';
import type { Metrics } from './create-metrics.ts';

/**
 * `GET /metrics`, for Prometheus. It reveals business volume, so it belongs on the monitoring port.
 */
export function metricsRoute(metrics: Pick<Metrics, 'text'>): FastifyPluginAsync {
  return async (app) => {
    app.get('/metrics', async (_request, reply) => {
      const { contentType, body } = await metrics.text();
      return reply.headers({ 'content-type': contentType, 'cache-control': 'no-store' }).send(body);
    });
  };
}
