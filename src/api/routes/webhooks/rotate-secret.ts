import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../../plugins/authenticate.ts';
import type { WebhookEndpoints } from '../../ports.ts';
import { failures } from '../../schemas/error.ts';
import { ref } from '../../schemas/ref.ts';
import {
  RotateWebhookSecretBody,
  requireEndpointId,
  WebhookEndpointParams,
  WebhookSecretEnvelope,
} from '../../schemas/webhook-endpoint.ts';
import { endpointToJson } from './endpoint-json.ts';

type Options = { endpoints: Pick<WebhookEndpoints, 'rotateSecret'> };

export const rotateSecretRoute: FastifyPluginAsyncTypebox<Options> = async (app, { endpoints }) => {
  app.post(
    '/webhooks/endpoints/:endpoint_id/rotate-secret',
    {
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the secret with overlap',
        description:
          'A new secret, shown this once. For `overlap_hours`, `webhook-signature` carries a signature of each secret, the new one first; X-Service-Signature is of the new secret at once. Use regenerate-secret when the old one has leaked. Only with a live key.',
        tags: ['Webhook endpoints'],
        params: WebhookEndpointParams,
        body: RotateWebhookSecretBody,
        response: { 200: ref(WebhookSecretEnvelope), ...failures('INVALID_REQUEST', 'WEBHOOK_ENDPOINT_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const endpointId = requireEndpointId(request.params);
      const { overlap_hours: overlapHours } = request.body;
      const hours = overlapHours === undefined ? {} : { overlapHours };
      const { endpoint, secret } = await endpoints.rotateSecret(callerOf(request), endpointId, hours);
      return reply.send({ success: true, data: { endpoint: endpointToJson(endpoint), secret } });
    },
  );
};
