import { WEBHOOK_PAYLOAD } from './transactions.ts';

const ENDPOINT_ID = 'whk_5d1c9w3x7q2m6t0v4k8e1hzr9n';
const DELIVERY = {
  delivery_id: 'dlv_7h2p9d4s1g6k3r8w0c5n2x7q4m',
  endpoint_id: ENDPOINT_ID,
  event_id: WEBHOOK_PAYLOAD.id,
  event: 'payment.completed',
  is_test: false,
  transaction_id: WEBHOOK_PAYLOAD.transaction_id,
  state: 'waiting',
  attempt: 2,
  last_status: 503,
  last_failure: 'status',
  next_attempt_at: '2026-11-21T10:13:55.120Z',
  created_at: '2026-11-21T10:12:44.327Z',
  ended_at: null,
};

export const DELIVERIES_RESPONSE = {
  success: true,
  data: {
    deliveries: [
      DELIVERY,
      {
        ...DELIVERY,
        delivery_id: 'dlv_1b6t3y8f5j0v7z2e9a4m6c1k8p',
        event_id: 'evt_0m5x2r9k7c4w1t8q6z3j5n0v2d',
        event: 'payment.pending',
        state: 'delivered',
        attempt: 1,
        last_status: 204,
        last_failure: null,
        next_attempt_at: null,
        created_at: '2026-11-21T10:04:11.902Z',
        ended_at: '2026-11-21T10:04:12.048Z',
      },
    ],
    has_more: false,
  },
};

const ATTEMPT = {
  attempt: 1,
  started_at: '2026-11-21T10:12:44.341Z',
  duration_ms: 143,
  status: 503,
  failure: 'status',
  failure_detail: 'The endpoint answered 503',
  is_probe: false,
  request_headers: { 'content-type': 'application/json', 'x-service-attempt': '1', 'webhook-id': WEBHOOK_PAYLOAD.id },
  response_headers: { 'content-type': 'text/plain', 'content-length': '21' },
  response_body: 'down for maintenance\n',
  is_response_cut: false,
  peer_address: '198.51.100.7',
  timing: { dns_ms: 4, connect_ms: 21, tls_ms: 38, first_byte_ms: 79 },
};

export const DELIVERY_RESPONSE = {
  success: true,
  data: {
    ...DELIVERY,
    body: JSON.stringify({ ...WEBHOOK_PAYLOAD, event: 'payment.completed', sequence: 3, status: 'completed' }),
    attempts: [
      ATTEMPT,
      {
        ...ATTEMPT,
        attempt: 2,
        started_at: '2026-11-21T10:12:54.770Z',
        request_headers: { ...ATTEMPT.request_headers, 'x-service-attempt': '2' },
        duration_ms: 61,
        // The connection was already open.
        timing: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: 60 },
      },
    ],
  },
};

export const REDELIVERY_RESPONSE = {
  success: true,
  data: { outcome: 'requested', delivery_id: DELIVERY.delivery_id },
};

export const REPLAY_REQUEST = { since: '2026-11-20T18:00:00Z' };

const REPLAY = {
  replay_id: 'rpl_5c0v7h2z9m4t1x6k3q8w5j0b7n',
  endpoint_id: ENDPOINT_ID,
  since: '2026-11-20T18:00:00.000Z',
  until: '2026-11-21T10:30:00.512Z',
  only_failed: false,
  state: 'running',
  events_seen: 0,
  events_sent: 0,
  created_at: '2026-11-21T10:30:00.512Z',
  ended_at: null,
};

export const REPLAY_RESPONSE = { success: true, data: REPLAY };

export const REPLAY_DONE_RESPONSE = {
  success: true,
  data: { ...REPLAY, state: 'done', events_seen: 1_204, events_sent: 317, ended_at: '2026-11-21T10:30:41.006Z' },
};

export const REPLAY_CANCELLED_RESPONSE = {
  success: true,
  data: { ...REPLAY, state: 'cancelled', events_seen: 400, events_sent: 96, ended_at: '2026-11-21T10:30:12.740Z' },
};
