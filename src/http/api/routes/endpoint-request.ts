import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { EndpointChanges, EndpointOfMerchant } from '../../../webhooks/index.ts';
import { callerOf } from '../plugins/require-secret-key.ts';
import { type ChangeWebhookEndpointBody, requireEndpointId } from '../schemas/webhook-endpoint.ts';

/** The endpoint in the path of a request, as one of the caller's merchant. */
export function endpointOf(request: FastifyRequest): EndpointOfMerchant {
  const { merchantId } = callerOf(request);
  return { merchantId, endpointId: requireEndpointId(request.params as { endpoint_id: string }) };
}

/** The changes in a request body; absent fields are left out. */
export function changesOf(body: Static<typeof ChangeWebhookEndpointBody>): EndpointChanges {
  const { disables_itself: disablesItself, disables_on_gone: disablesOnGone, ...others } = body;
  const { max_per_second: maxPerSecond, ...changes } = others;
  return {
    ...changes,
    ...(disablesItself === undefined ? {} : { disablesItself }),
    ...(disablesOnGone === undefined ? {} : { disablesOnGone }),
    ...(maxPerSecond === undefined ? {} : { maxPerSecond }),
  };
}
