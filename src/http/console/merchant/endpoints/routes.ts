import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { emailSecurityChange } from '../../../../accounts/index.ts';
import {
  changeEndpoint,
  countDeliveries,
  createEndpoint,
  DEFAULT_SUBSCRIPTION,
  deleteEndpoint,
  deleteResponses,
  type EndpointHealth,
  findNewestReplay,
  getEndpoint,
  listEndpoints,
  MAX_COUNTED,
  MAX_REPLAY_DAYS,
  readEndpointHealth,
  readEventType,
  regenerateSecret,
  rotateSecret,
  sendTestEvent,
  WEBHOOK_EVENT_TYPES,
  type WebhookEndpoint,
} from '../../../../webhooks/index.ts';
import { IdParams } from '../../schema.ts';
import { requireReauth, requireRole } from '../../session/guard.ts';
import type { MerchantDeps } from '../deps.ts';
import { authorOf, changeAsMember, memberOf } from '../member.ts';
import type { ReadSlots } from '../read-slots.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { replayRoutes, withTotal } from './replay-routes.ts';
import {
  type DeletedResponses,
  EndpointChangesBody,
  type EndpointDetail,
  type EndpointInfo,
  type EndpointList,
  type EndpointSecret,
  NewEndpointBody,
  RotateSecretBody,
  TestEventBody,
} from './schemas.ts';

/** The event types a merchant can subscribe to. */
const SUBSCRIPTIONS = { eventTypes: WEBHOOK_EVENT_TYPES, defaultEvents: DEFAULT_SUBSCRIPTION };

type EndpointsDeps = Pick<MerchantDeps, 'db' | 'engine' | 'clock' | 'publicUrl' | 'endpoints'> & {
  readonly slots: ReadSlots;
};

/**
 * Webhooks: owners change endpoints; staff can read them, send test events and resend single
 * events. Another merchant's is `WEBHOOK_ENDPOINT_NOT_FOUND`.
 */
export const endpointsRoutes: FastifyPluginAsyncTypebox<EndpointsDeps> = async (app, deps) => {
  const { db, endpoints: terms } = deps;
  const forOwners = { onRequest: requireRole('owner') };
  const withPassword = { onRequest: requireReauth('owner') };

  app.get('/webhooks', async (request) => {
    const endpoints = await listEndpoints(db, memberOf(request).merchantId);
    const healths = await readEndpointHealth(
      deps,
      endpoints.map(({ id }) => id),
    );
    const infos = endpoints.map((each) => toInfo(each, healths.get(each.id)));
    return { data: { endpoints: infos, ...SUBSCRIPTIONS } satisfies EndpointList };
  });

  app.post('/webhooks', { ...withPassword, schema: { body: NewEndpointBody } }, async (request, reply) => {
    const member = memberOf(request);
    const spec = { events: null, ...withoutZero(request.body), merchantId: member.merchantId };
    const { endpoint, secret } = await changeAsMember(deps, member, async (change) => {
      const made = await createEndpoint(change, terms, spec);
      const details = detailsOf(made.endpoint);
      await emailSecurityChange(change, member, { subject: 'A webhook endpoint was added', details });
      return made;
    });
    return reply.code(201).send({ data: { id: endpoint.id, secret } satisfies EndpointSecret });
  });

  app.get('/webhooks/:id', { schema: { params: IdParams } }, async (request) => {
    const { id: endpointId } = request.params;
    const { merchantId } = memberOf(request);
    const endpoint = await getEndpoint(db, { merchantId, endpointId });
    const [healths, counted, replay] = await Promise.all([
      readEndpointHealth(deps, [endpointId]),
      countDeliveries(deps, [endpointId]),
      findNewestReplay(deps, { merchantId, endpointId }),
    ]);
    const { delivered, failed, waiting, held } = counted.get(endpointId) ?? NOTHING_COUNTED;
    return {
      data: {
        endpoint: toInfo(endpoint, healths.get(endpointId)),
        ...SUBSCRIPTIONS,
        counts: { delivered, failed, waiting, held, most: MAX_COUNTED },
        replay: replay === null ? null : await withTotal(deps, merchantId, replay),
        maxReplayDays: MAX_REPLAY_DAYS,
      } satisfies EndpointDetail,
    };
  });

  const changing = { params: IdParams, body: EndpointChangesBody };
  app.patch('/webhooks/:id', { ...withPassword, schema: changing }, async (request) => {
    const { id } = request.params;
    const member = memberOf(request);
    const input = { merchantId: member.merchantId, endpointId: id, changes: withoutZero(request.body) };
    await changeAsMember(deps, member, async (change) => {
      const { endpoint, before } = await changeEndpoint(change, terms, input);
      if (before === null) return;
      const details = detailsOf(endpoint);
      await emailSecurityChange(change, member, { subject: 'A webhook endpoint was changed', details });
    });
    return { data: { id } };
  });

  app.delete('/webhooks/:id', { ...forOwners, schema: { params: IdParams } }, async (request, reply) => {
    const member = memberOf(request);
    const endpoint = { merchantId: member.merchantId, endpointId: request.params.id };
    await changeAsMember(deps, member, async (change) => {
      const details = detailsOf(await deleteEndpoint(change, endpoint));
      await emailSecurityChange(change, member, { subject: 'A webhook endpoint was deleted', details });
    });
    return reply.code(204).send();
  });

  app.post('/webhooks/:id/secret', { ...withPassword, schema: { params: IdParams } }, async (request) => {
    const { id } = request.params;
    const member = memberOf(request);
    const endpoint = { merchantId: member.merchantId, endpointId: id };
    const { secret } = await changeAsMember(deps, member, (change) =>
      regenerateSecret(change, terms.secretBox, endpoint),
    );
    return { data: { id, secret } satisfies EndpointSecret };
  });

  const rotation = { params: IdParams, body: RotateSecretBody };
  app.post('/webhooks/:id/rotate-secret', { ...withPassword, schema: rotation }, async (request) => {
    const { id } = request.params;
    const member = memberOf(request);
    const input = { merchantId: member.merchantId, endpointId: id, ...request.body };
    const { secret } = await changeAsMember(deps, member, (change) => rotateSecret(change, terms.secretBox, input));
    return { data: { id, secret } satisfies EndpointSecret };
  });

  app.delete('/webhooks/:id/responses', { ...forOwners, schema: { params: IdParams } }, async (request) => {
    const member = memberOf(request);
    const input = { merchantId: member.merchantId, endpointId: request.params.id, author: authorOf(deps, member) };
    return { data: { deleted: await deleteResponses(deps, input) } satisfies DeletedResponses };
  });

  const testing = { params: IdParams, body: TestEventBody };
  app.post('/webhooks/:id/test', { schema: testing }, async (request, reply) => {
    const member = memberOf(request);
    const event = readEventType(request.body.event);
    const input = { merchantId: member.merchantId, endpointId: request.params.id, event };
    return reply.code(201).send({ data: await sendTestEvent(deps, { ...input, author: authorOf(deps, member) }) });
  });

  await app.register(deliveryRoutes, deps);
  await app.register(replayRoutes, deps);
};

// Helpers

const NOTHING_COUNTED = { delivered: 0, failed: 0, waiting: 0, held: 0 };
const NEVER_TRIED: EndpointHealth = { lastSuccessAt: null, lastFailure: null, failuresInARow: 0 };

/** A rate limit of 0 is none. */
function withoutZero<T extends Pick<EndpointChangesBody, 'maxPerSecond'>>({ maxPerSecond, ...body }: T) {
  return maxPerSecond === undefined ? body : { ...body, maxPerSecond: maxPerSecond === 0 ? null : maxPerSecond };
}

/** Only the host of the URL: shops put secrets into paths. */
function detailsOf({ id, url }: Pick<WebhookEndpoint, 'id' | 'url'>) {
  return [
    ['Endpoint', id],
    ['Host', new URL(url).host],
  ] as const;
}

function toInfo({ merchantId: _, ...endpoint }: WebhookEndpoint, health: EndpointHealth = NEVER_TRIED): EndpointInfo {
  return { ...endpoint, health };
}
