import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { TerminalError } from '../../../errors.ts';
import type { ChangeDeps } from '../../../merchants/index.ts';
import type { RedeliverDeps } from '../../../webhooks/index.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { cancelReplayRoute } from './cancel-replay.ts';
import { getDeliveryRoute } from './get-delivery.ts';
import { getReplayRoute } from './get-replay.ts';
import { listDeliveriesRoute } from './list-deliveries.ts';
import { redeliverRoute } from './redeliver.ts';
import { replayRoute } from './replay.ts';

export interface WebhookLogDeps extends ChangeDeps, RedeliverDeps {}

/** Webhook deliveries, and sending them again; for live keys only. */
export const webhookLogRoutes: FastifyPluginAsync<WebhookLogDeps> = async (app, deps) => {
  app.addHook('onRequest', requireLiveKey);
  await app.register(listDeliveriesRoute, deps);
  await app.register(getDeliveryRoute, deps);
  await app.register(redeliverRoute, deps);
  await app.register(replayRoute, deps);
  await app.register(getReplayRoute, deps);
  await app.register(cancelReplayRoute, deps);
};

// Helpers

/** The bodies describe live payments, which a test key must not see. */
async function requireLiveKey(request: FastifyRequest): Promise<void> {
  if (callerOf(request).mode === 'live') return;
  throw new TerminalError(
    'FORBIDDEN',
    'Deliveries are about live payments as well, so only live keys (sk_live_...) can read them and send them again.',
  );
}
