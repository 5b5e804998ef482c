import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { listEndpoints, type TestEventDeps } from '../../../webhooks/index.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { failures } from '../../schemas/error.ts';
import { ref } from '../../schemas/ref.ts';
import { WebhookEndpointListEnvelope } from '../../schemas/webhook-endpoint.ts';
import { endpointToJson } from './endpoint-json.ts';

export const listEndpointsRoute: FastifyPluginAsyncTypebox<Pick<TestEventDeps, 'db'>> = async (app, deps) => {
  app.get(
    '/webhooks/endpoints',
    {
      schema: {
        operationId: 'listWebhookEndpoints',
        summary: 'List webhook endpoints',
        description: 'All of them, disabled ones included. Only with a live key.',
        tags: ['Webhook endpoints'],
        response: { 200: ref(WebhookEndpointListEnvelope), ...failures() },
      },
    },
    async (request, reply) => {
      const all = await listEndpoints(deps.db, callerOf(request).merchantId);
      return reply.send({ success: true, data: { endpoints: all.map(endpointToJson) } });
    },
  );
};
