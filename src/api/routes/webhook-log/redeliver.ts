import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type RedeliverDeps, redeliver } from '../../../webhooks/index.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { failures } from '../../schemas/error.ts';
import { ref } from '../../schemas/ref.ts';
import { requireDeliveryId, WebhookDeliveryParams, WebhookRedeliveryEnvelope } from '../../schemas/webhook-log.ts';

export const redeliverRoute: FastifyPluginAsyncTypebox<RedeliverDeps> = async (app, deps) => {
  app.post(
    '/webhooks/deliveries/:delivery_id/redeliver',
    {
      schema: {
        operationId: 'redeliverWebhook',
        summary: 'Send an event again',
        description:
          'The same id and the same bytes, with the next attempt number. One that waits is tried now; one that has ended is followed by another delivery with a schedule of its own. Asking twice at once sends once. 409 while the endpoint is disabled. Only with a live key.',
        tags: ['Webhook deliveries'],
        params: WebhookDeliveryParams,
        response: {
          202: ref(WebhookRedeliveryEnvelope),
          ...failures('WEBHOOK_DELIVERY_NOT_FOUND', 'INVALID_STATE'),
        },
      },
    },
    async (request, reply) => {
      const wanted = { merchantId: callerOf(request).merchantId, deliveryId: requireDeliveryId(request.params) };
      const { outcome, deliveryId } = await redeliver(deps, wanted);
      return reply.code(202).send({ success: true, data: { outcome, delivery_id: deliveryId } });
    },
  );
};
