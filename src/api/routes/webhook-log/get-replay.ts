import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ChangeDeps } from '../../../merchants/index.ts';
import { getReplay, replayOnWire } from '../../../webhooks/index.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { failures } from '../../schemas/error.ts';
import { ref } from '../../schemas/ref.ts';
import { requireReplayId, WebhookReplayEnvelope, WebhookReplayParams } from '../../schemas/webhook-log.ts';

export const getReplayRoute: FastifyPluginAsyncTypebox<Pick<ChangeDeps, 'db'>> = async (app, deps) => {
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
};
