import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type ChangeDeps, changeWithKey } from '../../../merchants/index.ts';
import { changeEndpoint, type EndpointDeps } from '../../../webhooks/index.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { failures } from '../../schemas/error.ts';
import { ref } from '../../schemas/ref.ts';
import {
  ChangeWebhookEndpointBody,
  WebhookEndpointEnvelope,
  WebhookEndpointParams,
} from '../../schemas/webhook-endpoint.ts';
import { changesOf, endpointOf, endpointToJson } from './endpoint-json.ts';

export const changeEndpointRoute: FastifyPluginAsyncTypebox<ChangeDeps & EndpointDeps> = async (app, deps) => {
  app.patch(
    '/webhooks/endpoints/:endpoint_id',
    {
      schema: {
        operationId: 'changeWebhookEndpoint',
        summary: 'Change a webhook endpoint',
        description:
          'What is left out stays as it is. A disabled endpoint gets nothing; what it missed is sent when you replay it. Enabling it clears `failing_since`. Only with a live key.',
        tags: ['Webhook endpoints'],
        params: WebhookEndpointParams,
        body: ChangeWebhookEndpointBody,
        response: {
          200: ref(WebhookEndpointEnvelope),
          ...failures('INVALID_WEBHOOK_URL', 'WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_EXISTS'),
        },
      },
    },
    async (request, reply) => {
      const wanted = { ...endpointOf(request), changes: changesOf(request.body) };
      const endpoint = await changeWithKey(deps, callerOf(request), (change) =>
        changeEndpoint(change, deps.endpoints, wanted),
      );
      return reply.send({ success: true, data: endpointToJson(endpoint) });
    },
  );
};
