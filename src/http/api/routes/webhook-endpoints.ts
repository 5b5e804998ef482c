import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type ChangeDeps, changeWithKey } from '../../../merchants/index.ts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  type EndpointDeps,
  emailEndpointChange,
  endpointOnWire,
  getEndpoint,
  listEndpoints,
  type TestEventDeps,
} from '../../../webhooks/index.ts';
import { callerOf, requireLiveKey } from '../plugins/require-secret-key.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/primitives.ts';
import {
  ChangeWebhookEndpointBody,
  CreateWebhookEndpointBody,
  WebhookEndpointDeletedEnvelope,
  WebhookEndpointEnvelope,
  WebhookEndpointListEnvelope,
  WebhookEndpointParams,
  WebhookSecretEnvelope,
} from '../schemas/webhook-endpoint.ts';
import { changesOf, endpointOf } from './endpoint-request.ts';
import { webhookEndpointActionRoutes } from './webhook-endpoint-actions.ts';

/**
 * The holder of a test key, such as a developer's machine, must not redirect events of real
 * payments.
 */
const LIVE_ONLY =
  'Webhook endpoints can receive events of live payments, so only live keys (sk_live_...) can read and change them.';

export interface WebhookEndpointsDeps extends ChangeDeps, EndpointDeps, TestEventDeps {}

/** All operations on webhook endpoints; for live keys only. */
export const webhookEndpointRoutes: FastifyPluginAsyncTypebox<WebhookEndpointsDeps> = async (app, deps) => {
  app.addHook('onRequest', requireLiveKey(LIVE_ONLY));
  app.get(
    '/webhooks/endpoints',
    {
      schema: {
        operationId: 'listWebhookEndpoints',
        summary: 'List webhook endpoints',
        description: 'All endpoints, including disabled ones. Requires a live key.',
        tags: ['Webhook endpoints'],
        response: { 200: ref(WebhookEndpointListEnvelope), ...failures() },
      },
    },
    async (request, reply) => {
      const all = await listEndpoints(deps.db, callerOf(request).merchantId);
      return reply.send({ success: true, data: { endpoints: all.map(endpointOnWire) } });
    },
  );

  app.post(
    '/webhooks/endpoints',
    {
      schema: {
        operationId: 'createWebhookEndpoint',
        summary: 'Create a webhook endpoint',
        description:
          'It receives events of live payments from now on, unless `modes` says otherwise. Store the secret in the response: it is not shown again. Your plan limits the number of endpoints. Requires a live key.',
        tags: ['Webhook endpoints'],
        body: CreateWebhookEndpointBody,
        response: {
          201: ref(WebhookSecretEnvelope),
          ...failures('INVALID_WEBHOOK_URL', 'PLAN_UPGRADE_REQUIRED', 'WEBHOOK_ENDPOINT_EXISTS', 'INVALID_STATE'),
        },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { url, events = null, modes = [caller.mode] } = request.body;
      const input = { ...changesOf(request.body), url, events, modes, merchantId: caller.merchantId };
      const { endpoint, secret } = await changeWithKey(deps, caller, async (change) => {
        const created = await createEndpoint(change, deps.endpoints, input);
        await emailEndpointChange(change, created.endpoint, { what: 'added' });
        return created;
      });
      return reply.code(201).send({ success: true, data: { endpoint: endpointOnWire(endpoint), secret } });
    },
  );

  app.get(
    '/webhooks/endpoints/:endpoint_id',
    {
      schema: {
        operationId: 'getWebhookEndpoint',
        summary: 'Get a webhook endpoint',
        description: 'Returns its current state, without the secret. Requires a live key.',
        tags: ['Webhook endpoints'],
        params: WebhookEndpointParams,
        response: { 200: ref(WebhookEndpointEnvelope), ...failures('WEBHOOK_ENDPOINT_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const endpoint = await getEndpoint(deps.db, endpointOf(request));
      return reply.send({ success: true, data: endpointOnWire(endpoint) });
    },
  );

  app.patch(
    '/webhooks/endpoints/:endpoint_id',
    {
      schema: {
        operationId: 'changeWebhookEndpoint',
        summary: 'Update a webhook endpoint',
        description:
          'Omitted fields stay unchanged. A disabled endpoint receives nothing; a replay sends missed events. Enabling it clears `failing_since`. Requires a live key.',
        tags: ['Webhook endpoints'],
        params: WebhookEndpointParams,
        body: ChangeWebhookEndpointBody,
        response: {
          200: ref(WebhookEndpointEnvelope),
          ...failures('INVALID_WEBHOOK_URL', 'WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_EXISTS'),
        },
      },
    },
    async (request, reply) => {
      const input = { ...endpointOf(request), changes: changesOf(request.body) };
      const endpoint = await changeWithKey(deps, callerOf(request), async (change) => {
        const { endpoint: changed, before } = await changeEndpoint(change, deps.endpoints, input);
        if (before !== null) await emailEndpointChange(change, changed, { what: 'changed', before });
        return changed;
      });
      return reply.send({ success: true, data: endpointOnWire(endpoint) });
    },
  );

  app.delete(
    '/webhooks/endpoints/:endpoint_id',
    {
      schema: {
        operationId: 'deleteWebhookEndpoint',
        summary: 'Delete a webhook endpoint',
        description:
          'Permanent: pending deliveries are not sent either. Its URL can be used again. Requires a live key.',
        tags: ['Webhook endpoints'],
        params: WebhookEndpointParams,
        response: { 200: ref(WebhookEndpointDeletedEnvelope), ...failures('WEBHOOK_ENDPOINT_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const input = endpointOf(request);
      await changeWithKey(deps, callerOf(request), async (change) => {
        await emailEndpointChange(change, await deleteEndpoint(change, input), { what: 'deleted' });
      });
      return reply.send({ success: true, data: { endpoint_id: input.endpointId, deleted: true } });
    },
  );

  await app.register(webhookEndpointActionRoutes, deps);
};
