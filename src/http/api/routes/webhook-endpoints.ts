import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type ChangeDeps, changeWithKey } from '../../../merchants/index.ts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  type EndpointDeps,
  endpointOnWire,
  getEndpoint,
  listEndpoints,
  type TestEventDeps,
} from '../../../webhooks/index.ts';
import { callerOf, requireLiveKey } from '../plugins/authenticate.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/ref.ts';
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
  'Webhook endpoints can receive events of live payments, so only live keys (sk_live_...) can see and change them.';

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
        description: 'All of them, disabled ones included. Only with a live key.',
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
          'It receives what happens from now on to live payments, unless `modes` says otherwise. Keep the secret of the response: it is not shown again. How many there can be is up to your plan. Only with a live key.',
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
      const { endpoint, secret } = await changeWithKey(deps, caller, (change) =>
        createEndpoint(change, deps.endpoints, input),
      );
      return reply.code(201).send({ success: true, data: { endpoint: endpointOnWire(endpoint), secret } });
    },
  );

  app.get(
    '/webhooks/endpoints/:endpoint_id',
    {
      schema: {
        operationId: 'getWebhookEndpoint',
        summary: 'Get a webhook endpoint',
        description: 'One of your endpoints, as it is now. Its secret is not shown again. Only with a live key.',
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
        summary: 'Change a webhook endpoint',
        description:
          'What is left out stays as it is. A disabled endpoint gets nothing; what it missed is sent when you replay it. Enabling it clears `failing_since`. Only with a live key.',
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
      const endpoint = await changeWithKey(deps, callerOf(request), (change) =>
        changeEndpoint(change, deps.endpoints, input),
      );
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
          'For good: it gets nothing any more, not even what is on its way to it. Its URL can be used again. Only with a live key.',
        tags: ['Webhook endpoints'],
        params: WebhookEndpointParams,
        response: { 200: ref(WebhookEndpointDeletedEnvelope), ...failures('WEBHOOK_ENDPOINT_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const input = endpointOf(request);
      await changeWithKey(deps, callerOf(request), (change) => deleteEndpoint(change, input));
      return reply.send({ success: true, data: { endpoint_id: input.endpointId, deleted: true } });
    },
  );

  await app.register(webhookEndpointActionRoutes, deps);
};
