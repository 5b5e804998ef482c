import type { WebhookEndpoint } from '../../webhooks/index.ts';
import { timeText } from '../print.ts';

/** An endpoint as JSON; never its secret. */
export function endpointToJson(endpoint: WebhookEndpoint) {
  return {
    endpoint_id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    modes: endpoint.modes,
    description: endpoint.description,
    enabled: endpoint.enabled,
    disabled_at: timeText(endpoint.disabledAt),
    disabled_because: endpoint.disabledBecause,
    disables_itself: endpoint.disablesItself,
    disables_on_gone: endpoint.disablesOnGone,
    max_per_second: endpoint.maxPerSecond,
    failing_since: timeText(endpoint.failingSince),
    secret_changed_at: timeText(endpoint.secretChangedAt),
    previous_secret_until: timeText(endpoint.previousSecretUntil),
    created_at: timeText(endpoint.createdAt),
  };
}
