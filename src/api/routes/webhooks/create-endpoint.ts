import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type ChangeDeps, changeWithKey } from '../../../merchants/index.ts';
import { createEndpoint, type EndpointDeps } from '../../../webhooks/index.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { failures } from '../../schemas/error.ts';
import { ref } from '../../schemas/ref.ts';
import { CreateWebhookEndpointBody, WebhookSecretEnvelope } from '../../schemas/webhook-endpoint.ts';
import { changesOf, endpointToJson } from './endpoint-json.ts';

export const createEndpointRoute: FastifyPluginAsyncTypebox<ChangeDeps & EndpointDeps> = async (app, deps) => {
  app.post(
    '/webhooks/endpoints',
    {
      schema: {
        operationId: 'createWebhookEndpoint',
        summary: 'Create a webhook endpoint',
        description:
          'It receives what happens from now on to live payments, unless `modes` says otherwise. Keep the secret of the answer: it is not shown again. How many there can be is up to your plan. Only with a live key.',
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
      const wanted = { ...changesOf(request.body), url, events, modes, merchantId: caller.merchantId };
      const { endpoint, secret } = await changeWithKey(deps, caller, (change) =>
        createEndpoint(change, deps.endpoints, wanted),
      );
      return reply.code(201).send({ success: true, data: { endpoint: endpointToJson(endpoint), secret } });
    },
  );
};
