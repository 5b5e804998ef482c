import { isoTime, isoTimeOrNull } from '../platform/iso-time.ts';
import type { WebhookEndpoint } from './endpoints/endpoint.ts';
import type { DeliveryView } from './log/delivery-view.ts';
import type { AttemptView, LoggedDelivery } from './log/get-delivery.ts';
import type { Replay } from './redelivery/replay.ts';

/** JSON form of endpoints and of the delivery log, for both the API and the command line. */

/** An endpoint; never its secret. */
export function endpointOnWire(endpoint: WebhookEndpoint) {
  return {
    endpoint_id: endpoint.id,
    url: endpoint.url,
    events: [...endpoint.events],
    modes: [...endpoint.modes],
    description: endpoint.description,
    enabled: endpoint.enabled,
    disabled_at: isoTimeOrNull(endpoint.disabledAt),
    disabled_because: endpoint.disabledBecause,
    disables_itself: endpoint.disablesItself,
    disables_on_gone: endpoint.disablesOnGone,
    max_per_second: endpoint.maxPerSecond,
    failing_since: isoTimeOrNull(endpoint.failingSince),
    secret_changed_at: isoTime(endpoint.secretChangedAt),
    previous_secret_until: isoTimeOrNull(endpoint.previousSecretUntil),
    created_at: isoTime(endpoint.createdAt),
  };
}

export function deliveryOnWire(delivery: DeliveryView) {
  return {
    delivery_id: delivery.id,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event: delivery.event,
    is_test: delivery.isTest,
    transaction_id: delivery.transactionId,
    state: delivery.state,
    attempt: delivery.attempt,
    last_status: delivery.lastStatus,
    last_failure: delivery.lastFailure,
    next_attempt_at: isoTimeOrNull(delivery.nextAttemptAt),
    created_at: isoTime(delivery.createdAt),
    ended_at: isoTimeOrNull(delivery.endedAt),
  };
}

export function detailsOnWire(delivery: LoggedDelivery) {
  return { ...deliveryOnWire(delivery), body: delivery.body, attempts: delivery.attempts.map(attemptOnWire) };
}

export function replayOnWire(replay: Replay) {
  return {
    replay_id: replay.id,
    endpoint_id: replay.endpointId,
    since: isoTime(replay.since),
    until: isoTime(replay.until),
    only_failed: replay.onlyFailed,
    state: replay.state,
    events_seen: replay.eventsSeen,
    events_sent: replay.eventsSent,
    created_at: isoTime(replay.createdAt),
    ended_at: isoTimeOrNull(replay.endedAt),
  };
}

// Helpers

function attemptOnWire(made: AttemptView) {
  const { dnsMs, connectMs, tlsMs, firstByteMs } = made.timing;
  return {
    attempt: made.attempt,
    started_at: isoTime(made.startedAt),
    duration_ms: made.durationMs,
    status: made.status,
    failure: made.failure,
    failure_detail: made.failureDetail,
    is_probe: made.isProbe,
    request_headers: made.requestHeaders,
    response_headers: made.responseHeaders,
    response_body: made.responseBody,
    is_response_cut: made.isResponseCut,
    peer_address: made.peerAddress,
    timing: { dns_ms: dnsMs, connect_ms: connectMs, tls_ms: tlsMs, first_byte_ms: firstByteMs },
  };
}
