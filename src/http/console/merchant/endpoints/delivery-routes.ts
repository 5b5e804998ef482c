import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { getDelivery, listDeliveries, readEventType, redeliver, retryWaiting } from '../../../../webhooks/index.ts';
import { IdParams, MAX_ID_CHARACTERS, Timestamp, text, whole } from '../../schema.ts';
import type { MerchantDeps } from '../deps.ts';
import { authorOf, memberOf } from '../member.ts';
import { type DeliveryPage, DeliveryState, TestEventBody } from './schemas.ts';

const DEFAULT_DELIVERIES = 50;

const DeliveriesQuery = Type.Object({
  state: Type.Optional(DeliveryState),
  event: Type.Optional(TestEventBody.properties.event),
  /** Started at this time or later. */
  from: Type.Optional(Timestamp),
  /** A delivery of the endpoint: only older ones are returned. */
  before: Type.Optional(text(MAX_ID_CHARACTERS)),
  limit: Type.Optional(whole(1, 100)),
});

type LogDeps = Pick<MerchantDeps, 'db' | 'engine' | 'clock'>;

/** The delivery log, and resending one event. Staff may use both. */
export const deliveryRoutes: FastifyPluginAsyncTypebox<LogDeps> = async (app, deps) => {
  const page = { params: IdParams, querystring: DeliveriesQuery };
  app.get('/webhooks/:id/deliveries', { schema: page }, async (request) => {
    const { event, from, limit = DEFAULT_DELIVERIES, ...query } = request.query;
    const { deliveries, hasMore } = await listDeliveries(
      deps,
      { merchantId: memberOf(request).merchantId, endpointId: request.params.id },
      {
        ...query,
        limit,
        ...(event === undefined ? {} : { event: readEventType(event) }),
        ...(from === undefined ? {} : { since: from }),
      },
    );
    const cursor = hasMore ? (deliveries.at(-1)?.id ?? null) : null;
    return { data: { deliveries, cursor } satisfies DeliveryPage };
  });

  app.post('/webhooks/:id/retry-waiting', { schema: { params: IdParams } }, async (request) => {
    const member = memberOf(request);
    const endpoint = { merchantId: member.merchantId, endpointId: request.params.id };
    return { data: await retryWaiting(deps, { ...endpoint, author: authorOf(deps, member) }) };
  });

  app.get('/webhooks/deliveries/:id', { schema: { params: IdParams } }, async (request) => {
    const { merchantId } = memberOf(request);
    return { data: await getDelivery(deps, { merchantId, deliveryId: request.params.id }) };
  });

  app.post('/webhooks/deliveries/:id/redeliver', { schema: { params: IdParams } }, async (request) => {
    const member = memberOf(request);
    const { merchantId } = member;
    const author = authorOf(deps, member);
    return { data: await redeliver(deps, { merchantId, deliveryId: request.params.id, author }) };
  });
};
