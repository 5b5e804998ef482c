import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ChangeDeps } from '../../../merchants/index.ts';
import { cancelReplay, getReplay, replayOnWire, requestReplay } from '../../../webhooks/index.ts';
import { callerOf } from '../plugins/require-secret-key.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/primitives.ts';
import { requireEndpointId, WebhookEndpointParams } from '../schemas/webhook-endpoint.ts';
import { ReplayBody, requireReplayId, WebhookReplayEnvelope, WebhookReplayParams } from '../schemas/webhook-log.ts';
import { timestampOf } from '../timestamps.ts';

/** Replays: redelivering every event that an endpoint has not accepted. */
export const webhookReplayRoutes: FastifyPluginAsyncTypebox<ChangeDeps> = async (app, deps) => {
  app.post(
    '/webhooks/endpoints/:endpoint_id/replay',
    {
      schema: {
        operationId: 'replayWebhooks',
        summary: 'Replay events that an endpoint has not accepted',
        description:
          'Redelivers every event between `since` and `until` to which the endpoint subscribes, that it has not accepted with 2xx, and that has no active delivery: failed ones and, unless `only_failed`, those that occurred while it was disabled. Runs in the background, oldest first, with the same ids. If a replay of the endpoint is running, that one is returned. 409 while the endpoint is disabled. Requires a live key.',
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
        summary: 'Get the progress of a replay',
        description: 'Returns its current state. Requires a live key.',
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
          'No further deliveries are started; started ones continue. A replay that has ended stays unchanged. Requires a live key.',
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
