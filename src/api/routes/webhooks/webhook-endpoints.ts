import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { TerminalError } from '../../../errors.ts';
import type { ChangeDeps } from '../../../merchants/index.ts';
import type { EndpointDeps, TestEventDeps } from '../../../webhooks/index.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { changeEndpointRoute } from './change-endpoint.ts';
import { createEndpointRoute } from './create-endpoint.ts';
import { deleteEndpointRoute } from './delete-endpoint.ts';
import { getEndpointRoute } from './get-endpoint.ts';
import { listEndpointsRoute } from './list-endpoints.ts';
import { regenerateSecretRoute } from './regenerate-secret.ts';
import { rotateSecretRoute } from './rotate-secret.ts';
import { sendTestEventRoute } from './send-test-event.ts';

export interface WebhookEndpointsDeps extends ChangeDeps, EndpointDeps, TestEventDeps {}

/** All operations on webhook endpoints; for live keys only. */
export const webhookEndpointsRoutes: FastifyPluginAsync<WebhookEndpointsDeps> = async (app, deps) => {
  app.addHook('onRequest', requireLiveKey);
  await app.register(listEndpointsRoute, deps);
  await app.register(createEndpointRoute, deps);
  await app.register(getEndpointRoute, deps);
  await app.register(changeEndpointRoute, deps);
  await app.register(deleteEndpointRoute, deps);
  await app.register(regenerateSecretRoute, deps);
  await app.register(rotateSecretRoute, deps);
  await app.register(sendTestEventRoute, deps);
};

// Helpers

/**
 * The holder of a test key, such as a developer's machine, must not
 * redirect events of real payments.
 */
async function requireLiveKey(request: FastifyRequest): Promise<void> {
  if (callerOf(request).mode === 'live') return;
  throw new TerminalError(
    'FORBIDDEN',
    'Webhook endpoints can receive events of live payments, so only live keys (sk_live_...) can see and change them.',
  );
}
