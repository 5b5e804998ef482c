import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type ChangeDeps, changeWithKey } from '../../../merchants/index.ts';
import { type EndpointDeps, regenerateSecret } from '../../../webhooks/index.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { failures } from '../../schemas/error.ts';
import { ref } from '../../schemas/ref.ts';
import { WebhookEndpointParams, WebhookSecretEnvelope } from '../../schemas/webhook-endpoint.ts';
import { endpointOf, endpointToJson } from './endpoint-json.ts';

export const regenerateSecretRoute: FastifyPluginAsyncTypebox<ChangeDeps & EndpointDeps> = async (app, deps) => {
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
      const wanted = endpointOf(request);
      const { endpoint, secret } = await changeWithKey(deps, callerOf(request), (change) =>
        regenerateSecret(change, deps.endpoints.secretBox, wanted),
      );
      return reply.send({ success: true, data: { endpoint: endpointToJson(endpoint), secret } });
    },
  );
};
