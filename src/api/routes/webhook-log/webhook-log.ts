import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { TerminalError } from '../../../errors.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import type { WebhookLog } from '../../ports.ts';
import { cancelReplayRoute } from './cancel-replay.ts';
import { getDeliveryRoute } from './get-delivery.ts';
import { getReplayRoute } from './get-replay.ts';
import { listDeliveriesRoute } from './list-deliveries.ts';
import { redeliverRoute } from './redeliver.ts';
import { replayRoute } from './replay.ts';

/** Webhook deliveries, and sending them again; for live keys only. */
export const webhookLogRoutes: FastifyPluginAsync<{ log: WebhookLog }> = async (app, options) => {
  app.addHook('onRequest', requireLiveKey);
  await app.register(listDeliveriesRoute, options);
  await app.register(getDeliveryRoute, options);
  await app.register(redeliverRoute, options);
  await app.register(replayRoute, options);
  await app.register(getReplayRoute, options);
  await app.register(cancelReplayRoute, options);
};

// Helpers

/** The bodies describe live payments, which a test key must not see. */
async function requireLiveKey(request: FastifyRequest): Promise<void> {
  if (callerOf(request).mode === 'live') return;
  throw new TerminalError(
    'FORBIDDEN',
    'Deliveries tell of live payments as well, so only live keys (sk_live_...) can read them and send them again.',
  );
}
