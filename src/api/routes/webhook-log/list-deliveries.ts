import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import type { ChangeDeps } from '../../../merchants/index.ts';
import { type DeliveryListRequest, deliveryOnWire, listDeliveries } from '../../../webhooks/index.ts';
import { momentOf } from '../../moments.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { failures } from '../../schemas/error.ts';
import { ref } from '../../schemas/ref.ts';
import { requireEndpointId, WebhookEndpointParams } from '../../schemas/webhook-endpoint.ts';
import { DEFAULT_DELIVERIES, ListDeliveriesQuery, WebhookDeliveryListEnvelope } from '../../schemas/webhook-log.ts';

export const listDeliveriesRoute: FastifyPluginAsyncTypebox<Pick<ChangeDeps, 'db'>> = async (app, deps) => {
  app.get(
    '/webhooks/endpoints/:endpoint_id/deliveries',
    {
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'List what was sent to an endpoint',
        description:
          'The deliveries of one endpoint, newest first, also of one that you have deleted. Events that found it disabled have none: a replay sends those. Only with a live key.',
        tags: ['Webhook deliveries'],
        params: WebhookEndpointParams,
        querystring: ListDeliveriesQuery,
        response: { 200: ref(WebhookDeliveryListEnvelope), ...failures('WEBHOOK_ENDPOINT_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const wanted = { merchantId: callerOf(request).merchantId, endpointId: requireEndpointId(request.params) };
      const { deliveries, hasMore } = await listDeliveries(deps, wanted, toRequest(request.query));
      return reply.send({ success: true, data: { deliveries: deliveries.map(deliveryOnWire), has_more: hasMore } });
    },
  );
};

// Helpers

function toRequest(query: Static<typeof ListDeliveriesQuery>): DeliveryListRequest {
  const { limit = DEFAULT_DELIVERIES, before, state, event, transaction_id: transactionId, since, until } = query;
  return {
    limit,
    ...(before === undefined ? {} : { before }),
    ...(state === undefined ? {} : { state }),
    ...(event === undefined ? {} : { event }),
    ...(transactionId === undefined ? {} : { transactionId }),
    ...(since === undefined ? {} : { since: momentOf(since, 'since') }),
    ...(until === undefined ? {} : { until: momentOf(until, 'until') }),
  };
}
