import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import type { ChangeDeps } from '../../../merchants/index.ts';
import {
  type DeliveryListRequest,
  deliveryOnWire,
  detailsOnWire,
  getDelivery,
  listDeliveries,
  type RedeliverDeps,
  redeliver,
} from '../../../webhooks/index.ts';
import { callerOf, requireLiveKey } from '../plugins/require-secret-key.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/primitives.ts';
import { requireEndpointId, WebhookEndpointParams } from '../schemas/webhook-endpoint.ts';
import {
  DEFAULT_DELIVERIES,
  ListDeliveriesQuery,
  requireDeliveryId,
  WebhookDeliveryEnvelope,
  WebhookDeliveryListEnvelope,
  WebhookDeliveryParams,
  WebhookRedeliveryEnvelope,
} from '../schemas/webhook-log.ts';
import { timestampOf } from '../timestamps.ts';
import { webhookReplayRoutes } from './webhook-replays.ts';

/** The bodies describe live payments, which a test key must not see. */
const LIVE_ONLY = 'Deliveries can contain live payments, so only live keys (sk_live_...) can read and redeliver them.';

export interface WebhookDeliveriesDeps extends ChangeDeps, RedeliverDeps {}

/** Webhook deliveries and their redelivery; for live keys only. */
export const webhookDeliveryRoutes: FastifyPluginAsyncTypebox<WebhookDeliveriesDeps> = async (app, deps) => {
  app.addHook('onRequest', requireLiveKey(LIVE_ONLY));
  app.get(
    '/webhooks/endpoints/:endpoint_id/deliveries',
    {
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'List the deliveries to an endpoint',
        description:
          'Newest first, also for a deleted endpoint. Events that occurred while it was disabled have no delivery: a replay sends them. Requires a live key.',
        tags: ['Webhook deliveries'],
        params: WebhookEndpointParams,
        querystring: ListDeliveriesQuery,
        response: { 200: ref(WebhookDeliveryListEnvelope), ...failures('WEBHOOK_ENDPOINT_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const input = { merchantId: callerOf(request).merchantId, endpointId: requireEndpointId(request.params) };
      const { deliveries, hasMore } = await listDeliveries(deps, input, toRequest(request.query));
      return reply.send({ success: true, data: { deliveries: deliveries.map(deliveryOnWire), has_more: hasMore } });
    },
  );

  app.get(
    '/webhooks/deliveries/:delivery_id',
    {
      schema: {
        operationId: 'getWebhookDelivery',
        summary: 'Get a delivery with its attempts',
        description:
          'The body, byte for byte, and the response and duration of each attempt. The response of your endpoint is returned unchanged: escape it before you show it on a page. Requires a live key.',
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

  app.post(
    '/webhooks/deliveries/:delivery_id/redeliver',
    {
      schema: {
        operationId: 'redeliverWebhook',
        summary: 'Redeliver an event',
        description:
          'Sends the same id and bytes with the next attempt number. A waiting delivery is tried now; one that has ended is followed by another delivery with its own schedule. Two simultaneous requests send once. 409 while the endpoint is disabled. Requires a live key.',
        tags: ['Webhook deliveries'],
        params: WebhookDeliveryParams,
        response: {
          202: ref(WebhookRedeliveryEnvelope),
          ...failures('WEBHOOK_DELIVERY_NOT_FOUND', 'INVALID_STATE'),
        },
      },
    },
    async (request, reply) => {
      const input = { merchantId: callerOf(request).merchantId, deliveryId: requireDeliveryId(request.params) };
      const { outcome, deliveryId } = await redeliver(deps, input);
      return reply.code(202).send({ success: true, data: { outcome, delivery_id: deliveryId } });
    },
  );

  await app.register(webhookReplayRoutes, deps);
};

// Helpers

function toRequest(query: Static<typeof ListDeliveriesQuery>): DeliveryListRequest {
  const { limit = DEFAULT_DELIVERIES, transaction_id: transactionId, since, until, ...filter } = query;
  return {
    limit,
    ...filter,
    ...(transactionId === undefined ? {} : { transactionId }),
    ...(since === undefined ? {} : { since: timestampOf(since, 'since') }),
    ...(until === undefined ? {} : { until: timestampOf(until, 'until') }),
  };
}
