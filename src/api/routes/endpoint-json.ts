import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { UnixMs } from '../../../machines/index.ts';
import type { EndpointChanges, EndpointOfMerchant, WebhookEndpoint } from '../../webhooks/index.ts';
import { callerOf } from '../plugins/authenticate.ts';
import {
  type ChangeWebhookEndpointBody,
  requireEndpointId,
  type WebhookEndpoint as WebhookEndpointSchema,
} from '../schemas/webhook-endpoint.ts';

/** The endpoint in the path of a request, as one of the caller's merchant. */
export function endpointOf(request: FastifyRequest): EndpointOfMerchant {
  const { merchantId } = callerOf(request);
  return { merchantId, endpointId: requireEndpointId(request.params as { endpoint_id: string }) };
}

/** A webhook endpoint as responses show it. */
export function endpointToJson(endpoint: WebhookEndpoint): Static<typeof WebhookEndpointSchema> {
  return {
    endpoint_id: endpoint.id,
    url: endpoint.url,
    events: [...endpoint.events],
    modes: [...endpoint.modes],
    description: endpoint.description,
    enabled: endpoint.enabled,
    disabled_at: isoOrNull(endpoint.disabledAt),
    disabled_because: endpoint.disabledBecause,
    disables_itself: endpoint.disablesItself,
    disables_on_gone: endpoint.disablesOnGone,
    max_per_second: endpoint.maxPerSecond,
    failing_since: isoOrNull(endpoint.failingSince),
    secret_changed_at: iso(endpoint.secretChangedAt),
    previous_secret_until: isoOrNull(endpoint.previousSecretUntil),
    created_at: iso(endpoint.createdAt),
  };
}

/** The changes in a request body; absent fields are left out. */
export function changesOf(body: Static<typeof ChangeWebhookEndpointBody>): EndpointChanges {
  const { url, events, modes, description, enabled } = body;
  const { disables_itself: disablesItself, disables_on_gone: disablesOnGone, max_per_second: maxPerSecond } = body;
  return {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events }),
    ...(modes === undefined ? {} : { modes }),
    ...(description === undefined ? {} : { description }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(disablesItself === undefined ? {} : { disablesItself }),
    ...(disablesOnGone === undefined ? {} : { disablesOnGone }),
    ...(maxPerSecond === undefined ? {} : { maxPerSecond }),
  };
}

// Helpers

function iso(moment: UnixMs): string {
  return new Date(moment).toISOString();
}

function isoOrNull(moment: UnixMs | null): string | null {
  return moment === null ? null : iso(moment);
}
