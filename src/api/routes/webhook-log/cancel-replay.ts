import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ChangeDeps } from '../../../merchants/index.ts';
import { cancelReplay, replayOnWire } from '../../../webhooks/index.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { failures } from '../../schemas/error.ts';
import { ref } from '../../schemas/ref.ts';
import { requireReplayId, WebhookReplayEnvelope, WebhookReplayParams } from '../../schemas/webhook-log.ts';

export const cancelReplayRoute: FastifyPluginAsyncTypebox<ChangeDeps> = async (app, deps) => {
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
