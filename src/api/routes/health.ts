import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Health } from '../ports.ts';
import { HealthReport } from '../schemas/health.ts';
import { ref } from '../schemas/ref.ts';

export interface HealthRouteOptions {
  readonly health: () => Promise<Health>;
  readonly version: string;
}

export const healthRoute: FastifyPluginAsyncTypebox<HealthRouteOptions> = async (app, { health, version }) => {
  app.get(
    '/health',
    {
      schema: {
        operationId: 'getHealth',
        summary: 'Ask how the service is doing',
        description: 'Needs no API key. The answer has no envelope.',
        tags: ['System'],
        security: [],
        response: {
          200: ref(HealthReport),
          503: ref(HealthReport, { description: 'The database does not answer.' }),
        },
      },
    },
    async (_request, reply) => {
      const { status, databaseAnswers } = await health();
      return reply.code(databaseAnswers ? 200 : 503).send({
        status: databaseAnswers ? status : 'degraded',
        service: 'quittance',
        version,
      });
    },
  );
};
