import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../../plugins/authenticate.ts';
import type { WebhookEndpoints } from '../../ports.ts';
import { failures } from '../../schemas/error.ts';
import { ref } from '../../schemas/ref.ts';
import {
  requireEndpointId,
  WebhookEndpointDeletedEnvelope,
  WebhookEndpointParams,
} from '../../schemas/webhook-endpoint.ts';

export const deleteEndpointRoute: FastifyPluginAsyncTypebox<{ endpoints: Pick<WebhookEndpoints, 'remove'> }> = async (
  app,
  { endpoints },
) => {
  app.delete(
    '/webhooks/endpoints/:endpoint_id',
    {
      schema: {
        operationId: 'deleteWebhookEndpoint',
        summary: 'Delete a webhook endpoint',
        description:
          'For good: it gets nothing any more, not even what is on its way to it. Its URL can be used again. Only with a live key.',
        tags: ['Webhook endpoints'],
        params: WebhookEndpointParams,
        response: { 200: ref(WebhookEndpointDeletedEnvelope), ...failures('WEBHOOK_ENDPOINT_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const endpointId = requireEndpointId(request.params);
      await endpoints.remove(callerOf(request), endpointId);
      return reply.send({ success: true, data: { endpoint_id: endpointId, deleted: true } });
    },
  );
};
