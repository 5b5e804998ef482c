import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { TerminalError } from '../../../errors.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import type { WebhookEndpoints } from '../../ports.ts';
import { changeEndpointRoute } from './change-endpoint.ts';
import { createEndpointRoute } from './create-endpoint.ts';
import { deleteEndpointRoute } from './delete-endpoint.ts';
import { getEndpointRoute } from './get-endpoint.ts';
import { listEndpointsRoute } from './list-endpoints.ts';
import { regenerateSecretRoute } from './regenerate-secret.ts';
import { rotateSecretRoute } from './rotate-secret.ts';
import { sendTestEventRoute } from './send-test-event.ts';

/** All operations on webhook endpoints; for live keys only. */
export const webhookEndpointsRoutes: FastifyPluginAsync<{ endpoints: WebhookEndpoints }> = async (app, options) => {
  app.addHook('onRequest', requireLiveKey);
  await app.register(listEndpointsRoute, options);
  await app.register(createEndpointRoute, options);
  await app.register(getEndpointRoute, options);
  await app.register(changeEndpointRoute, options);
  await app.register(deleteEndpointRoute, options);
  await app.register(regenerateSecretRoute, options);
  await app.register(rotateSecretRoute, options);
  await app.register(sendTestEventRoute, options);
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
