import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type ChangeDeps, changeWithKey } from '../../../merchants/index.ts';
import {
  type EndpointDeps,
  endpointOnWire,
  regenerateSecret,
  rotateSecret,
  sendTestEvent,
  type TestEventDeps,
} from '../../../webhooks/index.ts';
import { callerOf } from '../plugins/require-secret-key.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/primitives.ts';
import {
  RotateWebhookSecretBody,
  TestWebhookEndpointBody,
  WebhookEndpointParams,
  WebhookSecretEnvelope,
  WebhookTestEnvelope,
} from '../schemas/webhook-endpoint.ts';
import { endpointOf } from './endpoint-request.ts';

/** The secrets of webhook endpoints, and test events to them. */
export const webhookEndpointActionRoutes: FastifyPluginAsyncTypebox<ChangeDeps & EndpointDeps & TestEventDeps> = async (
  app,
  deps,
) => {
  app.post(
    '/webhooks/endpoints/:endpoint_id/regenerate-secret',
    {
      schema: {
        operationId: 'regenerateWebhookSecret',
        summary: 'Generate a new secret',
        description:
          'The old secret stops working immediately: the next attempt is signed with the new one, which is not shown again. Requires a live key.',
        tags: ['Webhook endpoints'],
        params: WebhookEndpointParams,
        response: { 200: ref(WebhookSecretEnvelope), ...failures('WEBHOOK_ENDPOINT_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const input = endpointOf(request);
      const { endpoint, secret } = await changeWithKey(deps, callerOf(request), (change) =>
        regenerateSecret(change, deps.endpoints.secretBox, input),
      );
      return reply.send({ success: true, data: { endpoint: endpointOnWire(endpoint), secret } });
    },
  );

  app.post(
    '/webhooks/endpoints/:endpoint_id/rotate-secret',
    {
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the secret with overlap',
        description:
          'Generates a new secret, shown only once. For `overlap_hours`, `webhook-signature` carries a signature of each secret, the new one first; X-Service-Signature uses the new secret immediately. If the old secret has leaked, use regenerate-secret. Requires a live key.',
        tags: ['Webhook endpoints'],
        params: WebhookEndpointParams,
        body: RotateWebhookSecretBody,
        response: { 200: ref(WebhookSecretEnvelope), ...failures('INVALID_REQUEST', 'WEBHOOK_ENDPOINT_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { overlap_hours: overlapHours } = request.body;
      const input = { ...endpointOf(request), overlapHours };
      const { endpoint, secret } = await changeWithKey(deps, callerOf(request), (change) =>
        rotateSecret(change, deps.endpoints.secretBox, input),
      );
      return reply.send({ success: true, data: { endpoint: endpointOnWire(endpoint), secret } });
    },
  );

  app.post(
    '/webhooks/endpoints/:endpoint_id/test',
    {
      schema: {
        operationId: 'testWebhookEndpoint',
        summary: 'Send a test event',
        description:
          'Sends a sample of any event to this endpoint only, regardless of its subscription; it is signed, retried and logged like any other event. Sample payments have `metadata: {"test": true}`, sample recurring payments the reference `test`; the transaction does not exist. Requires a live key.',
        tags: ['Webhook endpoints'],
        params: WebhookEndpointParams,
        body: TestWebhookEndpointBody,
        response: { 202: ref(WebhookTestEnvelope), ...failures('WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_STATE') },
      },
    },
    async (request, reply) => {
      const sent = await sendTestEvent(deps, { ...endpointOf(request), event: request.body.event });
      const { deliveryId, eventId, event } = sent;
      return reply.code(202).send({ success: true, data: { delivery_id: deliveryId, event_id: eventId, event } });
    },
  );
};
