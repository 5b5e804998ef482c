import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type ChangeDeps, changeWithKey } from '../../../merchants/index.ts';
import { deleteEndpoint } from '../../../webhooks/index.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { failures } from '../../schemas/error.ts';
import { ref } from '../../schemas/ref.ts';
import { WebhookEndpointDeletedEnvelope, WebhookEndpointParams } from '../../schemas/webhook-endpoint.ts';
import { endpointOf } from './endpoint-json.ts';

export const deleteEndpointRoute: FastifyPluginAsyncTypebox<ChangeDeps> = async (app, deps) => {
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
      const wanted = endpointOf(request);
      await changeWithKey(deps, callerOf(request), (change) => deleteEndpoint(change, wanted));
      return reply.send({ success: true, data: { endpoint_id: wanted.endpointId, deleted: true } });
    },
  );
};
