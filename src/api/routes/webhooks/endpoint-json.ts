import type { Static } from 'typebox';
import type { UnixMs } from '../../../../machines/index.ts';
import type { EndpointChanges, WebhookEndpoint } from '../../../webhooks/index.ts';
import type {
  ChangeWebhookEndpointBody,
  WebhookEndpoint as WebhookEndpointSchema,
} from '../../schemas/webhook-endpoint.ts';

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
    failing_since: isoOrNull(endpoint.failingSince),
    secret_changed_at: iso(endpoint.secretChangedAt),
    previous_secret_until: isoOrNull(endpoint.previousSecretUntil),
    created_at: iso(endpoint.createdAt),
  };
}

/** The changes in a request body; absent fields are left out. */
export function changesOf(body: Static<typeof ChangeWebhookEndpointBody>): EndpointChanges {
  const { url, events, modes, description, enabled, disables_itself: disablesItself } = body;
  return {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events }),
    ...(modes === undefined ? {} : { modes }),
    ...(description === undefined ? {} : { description }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(disablesItself === undefined ? {} : { disablesItself }),
  };
}

// Helpers

function iso(moment: UnixMs): string {
  return new Date(moment).toISOString();
}

function isoOrNull(moment: UnixMs | null): string | null {
  return moment === null ? null : iso(moment);
}
