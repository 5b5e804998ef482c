import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ChangeDeps } from '../../../merchants/index.ts';
import { cancelReplay, getReplay, replayOnWire, requestReplay } from '../../../webhooks/index.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/ref.ts';
import { requireEndpointId, WebhookEndpointParams } from '../schemas/webhook-endpoint.ts';
import { ReplayBody, requireReplayId, WebhookReplayEnvelope, WebhookReplayParams } from '../schemas/webhook-log.ts';
import { timestampOf } from '../timestamps.ts';

/** Replays: sending everything again that an endpoint has not accepted. */
export const webhookReplayRoutes: FastifyPluginAsyncTypebox<ChangeDeps> = async (app, deps) => {
  app.post(
    '/webhooks/endpoints/:endpoint_id/replay',
    {
      schema: {
        operationId: 'replayWebhooks',
        summary: 'Send everything again that an endpoint has not taken',
        description:
          'Every event since a moment (and up to `until`) that the endpoint wants, has not answered 2xx, and that is not on its way: those it failed and, unless `only_failed`, those that found it disabled. In the background, oldest first, under the old ids. While a replay of the endpoint runs, that one is the response. 409 while the endpoint is disabled. Only with a live key.',
        tags: ['Webhook deliveries'],
        params: WebhookEndpointParams,
        body: ReplayBody,
        response: { 202: ref(WebhookReplayEnvelope), ...failures('WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_STATE') },
      },
    },
    async (request, reply) => {
      const input = { merchantId: callerOf(request).merchantId, endpointId: requireEndpointId(request.params) };
      const { since, until, only_failed: onlyFailed } = request.body;
      const range = {
        since: timestampOf(since, 'since'),
        until: until === undefined ? undefined : timestampOf(until, 'until'),
        onlyFailed,
      };
      const replay = await requestReplay(deps, { ...input, ...range });
      return reply.code(202).send({ success: true, data: replayOnWire(replay) });
    },
  );

  app.get(
    '/webhooks/replays/:replay_id',
    {
      schema: {
        operationId: 'getWebhookReplay',
        summary: 'Get how far a replay is',
        description: 'One of your replays, as it is now. Only with a live key.',
        tags: ['Webhook deliveries'],
        params: WebhookReplayParams,
        response: { 200: ref(WebhookReplayEnvelope), ...failures('WEBHOOK_REPLAY_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { merchantId } = callerOf(request);
      const replay = await getReplay(deps, { merchantId, replayId: requireReplayId(request.params) });
      return reply.send({ success: true, data: replayOnWire(replay) });
    },
  );

  app.post(
    '/webhooks/replays/:replay_id/cancel',
    {
      schema: {
        operationId: 'cancelWebhookReplay',
        summary: 'Cancel a replay',
        description:
          'No further deliveries are started; those that were go on. A replay that has ended stays as it is. Only with a live key.',
        tags: ['Webhook deliveries'],
        params: WebhookReplayParams,
        response: { 200: ref(WebhookReplayEnvelope), ...failures('WEBHOOK_REPLAY_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { merchantId } = callerOf(request);
      const replay = await cancelReplay(deps, { merchantId, replayId: requireReplayId(request.params) });
      return reply.send({ success: true, data: replayOnWire(replay) });
    },
  );
};
