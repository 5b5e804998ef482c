import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { sendTestEvent, type TestEventDeps } from '../../../webhooks/index.ts';
import { failures } from '../../schemas/error.ts';
import { ref } from '../../schemas/ref.ts';
import { TestWebhookEndpointBody, WebhookEndpointParams, WebhookTestEnvelope } from '../../schemas/webhook-endpoint.ts';
import { endpointOf } from './endpoint-json.ts';

export const sendTestEventRoute: FastifyPluginAsyncTypebox<TestEventDeps> = async (app, deps) => {
  app.post(
    '/webhooks/endpoints/:endpoint_id/test',
    {
      schema: {
        operationId: 'testWebhookEndpoint',
        summary: 'Send a test event',
        description:
          'Posts a sample of any event to this endpoint alone, whether or not it wants such events: signed, retried and logged like any other. Payments in it are marked by `metadata: {"test": true}`, recurring payments by the reference `test`; the transaction it names does not exist. Only with a live key.',
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
