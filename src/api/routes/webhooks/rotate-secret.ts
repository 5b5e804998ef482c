import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type ChangeDeps, changeWithKey } from '../../../merchants/index.ts';
import { type EndpointDeps, rotateSecret } from '../../../webhooks/index.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { failures } from '../../schemas/error.ts';
import { ref } from '../../schemas/ref.ts';
import {
  RotateWebhookSecretBody,
  WebhookEndpointParams,
  WebhookSecretEnvelope,
} from '../../schemas/webhook-endpoint.ts';
import { endpointOf, endpointToJson } from './endpoint-json.ts';

export const rotateSecretRoute: FastifyPluginAsyncTypebox<ChangeDeps & EndpointDeps> = async (app, deps) => {
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
      const { overlap_hours: overlapHours } = request.body;
      const wanted = { ...endpointOf(request), ...(overlapHours === undefined ? {} : { overlapHours }) };
      const { endpoint, secret } = await changeWithKey(deps, callerOf(request), (change) =>
        rotateSecret(change, deps.endpoints.secretBox, wanted),
      );
      return reply.send({ success: true, data: { endpoint: endpointToJson(endpoint), secret } });
    },
  );
};
