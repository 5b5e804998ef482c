import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ChangeDeps } from '../../../merchants/index.ts';
import { detailsOnWire, getDelivery } from '../../../webhooks/index.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { failures } from '../../schemas/error.ts';
import { ref } from '../../schemas/ref.ts';
import { requireDeliveryId, WebhookDeliveryEnvelope, WebhookDeliveryParams } from '../../schemas/webhook-log.ts';

export const getDeliveryRoute: FastifyPluginAsyncTypebox<Pick<ChangeDeps, 'db'>> = async (app, deps) => {
  app.get(
    '/webhooks/deliveries/:delivery_id',
    {
      schema: {
        operationId: 'getWebhookDelivery',
        summary: 'Get a delivery with its attempts',
        description:
          'What was posted, byte for byte, and for each attempt what came back and how long it took. What your endpoint answered is shown as it came: escape it before you put it into a page. Only with a live key.',
        tags: ['Webhook deliveries'],
        params: WebhookDeliveryParams,
        response: { 200: ref(WebhookDeliveryEnvelope), ...failures('WEBHOOK_DELIVERY_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { merchantId } = callerOf(request);
      const delivery = await getDelivery(deps, { merchantId, deliveryId: requireDeliveryId(request.params) });
      return reply.send({ success: true, data: detailsOnWire(delivery) });
    },
  );
};
