import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../../plugins/authenticate.ts';
import type { WebhookEndpoints } from '../../ports.ts';
import { failures } from '../../schemas/error.ts';
import { ref } from '../../schemas/ref.ts';
import {
  ChangeWebhookEndpointBody,
  requireEndpointId,
  WebhookEndpointEnvelope,
  WebhookEndpointParams,
} from '../../schemas/webhook-endpoint.ts';
import { changesOf, endpointToJson } from './endpoint-json.ts';

export const changeEndpointRoute: FastifyPluginAsyncTypebox<{ endpoints: Pick<WebhookEndpoints, 'change'> }> = async (
  app,
  { endpoints },
) => {
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
      const endpointId = requireEndpointId(request.params);
      const endpoint = await endpoints.change(callerOf(request), endpointId, changesOf(request.body));
      return reply.send({ success: true, data: endpointToJson(endpoint) });
    },
  );
};
