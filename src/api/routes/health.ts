import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { HealthReport } from '../schemas/health.ts';
import { ref } from '../schemas/ref.ts';

export interface HealthDeps {
  readonly database: Component;
  readonly bus: Component;
  readonly version: string;
}

export interface Component {
  isHealthy(): Promise<boolean>;
}

export const healthRoute: FastifyPluginAsyncTypebox<HealthDeps> = async (app, { database, bus, version }) => {
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
      const [databaseAnswers, busAnswers] = await Promise.all([database.isHealthy(), bus.isHealthy()]);
      const status = databaseAnswers && busAnswers ? 'ok' : 'degraded';
      return reply.code(databaseAnswers ? 200 : 503).send({ status, service: 'quittance', version });
    },
  );
};
