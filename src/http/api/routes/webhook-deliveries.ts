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
import { callerOf, requireLiveKey } from '../plugins/authenticate.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/ref.ts';
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
const LIVE_ONLY =
  'Deliveries are about live payments as well, so only live keys (sk_live_...) can read them and send them again.';

export interface WebhookDeliveriesDeps extends ChangeDeps, RedeliverDeps {}

/** Webhook deliveries, and sending them again; for live keys only. */
export const webhookDeliveryRoutes: FastifyPluginAsyncTypebox<WebhookDeliveriesDeps> = async (app, deps) => {
  app.addHook('onRequest', requireLiveKey(LIVE_ONLY));
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
