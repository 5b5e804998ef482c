import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { getEndpoint, type TestEventDeps } from '../../../webhooks/index.ts';
import { failures } from '../../schemas/error.ts';
import { ref } from '../../schemas/ref.ts';
import { WebhookEndpointEnvelope, WebhookEndpointParams } from '../../schemas/webhook-endpoint.ts';
import { endpointOf, endpointToJson } from './endpoint-json.ts';

export const getEndpointRoute: FastifyPluginAsyncTypebox<Pick<TestEventDeps, 'db'>> = async (app, deps) => {
  app.get(
    '/webhooks/endpoints/:endpoint_id',
    {
      schema: {
        operationId: 'getWebhookEndpoint',
        summary: 'Get a webhook endpoint',
        description: 'One of your endpoints, as it is now. Its secret is not shown again. Only with a live key.',
        tags: ['Webhook endpoints'],
        params: WebhookEndpointParams,
        response: { 200: ref(WebhookEndpointEnvelope), ...failures('WEBHOOK_ENDPOINT_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const endpoint = await getEndpoint(deps.db, endpointOf(request));
      return reply.send({ success: true, data: endpointToJson(endpoint) });
    },
  );
};
