import type { UnixMs } from '../../../machines/index.ts';
import type { Replay } from '../redelivery/index.ts';
import type { DeliveryView } from './delivery-view.ts';
import type { AttemptView, LoggedDelivery } from './get-delivery.ts';

/** JSON form of the delivery log, used by both the API and the command line. */

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
    next_attempt_at: momentOrNull(delivery.nextAttemptAt),
    created_at: moment(delivery.createdAt),
    ended_at: momentOrNull(delivery.endedAt),
  };
}

export function detailsOnWire(delivery: LoggedDelivery) {
  return { ...deliveryOnWire(delivery), body: delivery.body, attempts: delivery.attempts.map(attemptOnWire) };
}

export function replayOnWire(replay: Replay) {
  return {
    replay_id: replay.id,
    endpoint_id: replay.endpointId,
    since: moment(replay.since),
    until: moment(replay.until),
    only_failed: replay.onlyFailed,
    state: replay.state,
    events_seen: replay.eventsSeen,
    events_sent: replay.eventsSent,
    created_at: moment(replay.createdAt),
    ended_at: momentOrNull(replay.endedAt),
  };
}

// Helpers

function attemptOnWire(made: AttemptView) {
  const { dnsMs, connectMs, tlsMs, firstByteMs } = made.timing;
  return {
    attempt: made.attempt,
    started_at: moment(made.startedAt),
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

function moment(at: UnixMs): string {
  return new Date(at).toISOString();
}

function momentOrNull(at: UnixMs | null): string | null {
  return at === null ? null : moment(at);
}
