import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../../plugins/authenticate.ts';
import type { WebhookEndpoints } from '../../ports.ts';
import { failures } from '../../schemas/error.ts';
import { ref } from '../../schemas/ref.ts';
import { requireEndpointId, WebhookEndpointParams, WebhookSecretEnvelope } from '../../schemas/webhook-endpoint.ts';
import { endpointToJson } from './endpoint-json.ts';

type Options = { endpoints: Pick<WebhookEndpoints, 'regenerateSecret'> };

export const regenerateSecretRoute: FastifyPluginAsyncTypebox<Options> = async (app, { endpoints }) => {
  app.post(
    '/webhooks/endpoints/:endpoint_id/regenerate-secret',
    {
      schema: {
        operationId: 'regenerateWebhookSecret',
        summary: 'Make a new secret',
        description:
          'The old secret is dead at once: the very next attempt is signed with the new one, which is not shown again. Only with a live key.',
        tags: ['Webhook endpoints'],
        params: WebhookEndpointParams,
        response: { 200: ref(WebhookSecretEnvelope), ...failures('WEBHOOK_ENDPOINT_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const endpointId = requireEndpointId(request.params);
      const { endpoint, secret } = await endpoints.regenerateSecret(callerOf(request), endpointId);
      return reply.send({ success: true, data: { endpoint: endpointToJson(endpoint), secret } });
    },
  );
};
