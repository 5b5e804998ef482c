import type { AttemptView, DeliveryView, LoggedDelivery, Replay } from '../../webhooks/index.ts';
import { timeText } from '../print.ts';

/** The log for programs, with the names the API has. */

export function deliveryToJson(delivery: DeliveryView) {
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
    next_attempt_at: timeText(delivery.nextAttemptAt),
    created_at: timeText(delivery.createdAt),
    ended_at: timeText(delivery.endedAt),
  };
}

export function detailsToJson(delivery: LoggedDelivery) {
  return { ...deliveryToJson(delivery), body: delivery.body, attempts: delivery.attempts.map(attemptToJson) };
}

export function replayToJson(replay: Replay) {
  return {
    replay_id: replay.id,
    endpoint_id: replay.endpointId,
    since: timeText(replay.since),
    until: timeText(replay.until),
    state: replay.state,
    events_seen: replay.eventsSeen,
    events_sent: replay.eventsSent,
    created_at: timeText(replay.createdAt),
    ended_at: timeText(replay.endedAt),
  };
}

// Helpers

function attemptToJson(made: AttemptView) {
  const { dnsMs, connectMs, tlsMs, firstByteMs } = made.timing;
  return {
    attempt: made.attempt,
    started_at: timeText(made.startedAt),
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
