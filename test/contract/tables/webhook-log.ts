import type { FieldTable } from '../check.ts';
import { EVENT } from './webhook-endpoints.ts';

/** The webhook log, redeliveries and replays, which the interface leaves to a dashboard. */
const DELIVERY: FieldTable = {
  delivery_id: { type: 'string', required: 'yes' },
  endpoint_id: { type: 'string', required: 'yes' },
  event_id: { type: 'string', required: 'yes' },
  event: { type: EVENT, required: 'yes' },
  is_test: { type: 'boolean', required: 'yes' },
  transaction_id: { type: 'string', required: 'yes', nullable: true },
  state: { type: { oneOf: ['sending', 'waiting', 'delivered', 'failed'] }, required: 'yes' },
  attempt: { type: 'integer', required: 'yes' },
  last_status: { type: 'integer', required: 'yes', nullable: true },
  last_failure: { type: 'string', required: 'yes', nullable: true },
  next_attempt_at: { type: 'date-time', required: 'yes', nullable: true },
  created_at: { type: 'date-time', required: 'yes' },
  ended_at: { type: 'date-time', required: 'yes', nullable: true },
};

const MILLISECONDS = { type: 'integer', required: 'yes', nullable: true } as const;
const ATTEMPT: FieldTable = {
  attempt: { type: 'integer', required: 'yes' },
  started_at: { type: 'date-time', required: 'yes' },
  duration_ms: { type: 'integer', required: 'yes' },
  status: { type: 'integer', required: 'yes', nullable: true },
  failure: { type: 'string', required: 'yes', nullable: true },
  failure_detail: { type: 'string', required: 'yes', nullable: true },
  is_probe: { type: 'boolean', required: 'yes' },
  request_headers: { type: 'free-form object', required: 'yes', nullable: true },
  response_headers: { type: 'free-form object', required: 'yes', nullable: true },
  response_body: { type: 'string', required: 'yes', nullable: true },
  is_response_cut: { type: 'boolean', required: 'yes' },
  peer_address: { type: 'string', required: 'yes', nullable: true },
  timing: {
    type: {
      fields: { dns_ms: MILLISECONDS, connect_ms: MILLISECONDS, tls_ms: MILLISECONDS, first_byte_ms: MILLISECONDS },
    },
    required: 'yes',
  },
};

const REPLAY: FieldTable = {
  replay_id: { type: 'string', required: 'yes' },
  endpoint_id: { type: 'string', required: 'yes' },
  since: { type: 'date-time', required: 'yes' },
  until: { type: 'date-time', required: 'yes' },
  only_failed: { type: 'boolean', required: 'yes' },
  state: { type: { oneOf: ['running', 'done', 'cancelled'] }, required: 'yes' },
  events_seen: { type: 'integer', required: 'yes' },
  events_sent: { type: 'integer', required: 'yes' },
  created_at: { type: 'date-time', required: 'yes' },
  ended_at: { type: 'date-time', required: 'yes', nullable: true },
};

const READ = { method: 'GET', access: 'secret key', success: 200, failures: [] } as const;

export const WEBHOOK_LOG = {
  listWebhookDeliveries: {
    ...READ,
    path: '/webhooks/endpoints/{endpoint_id}/deliveries',
    response: {
      envelope: {
        fields: {
          deliveries: { type: { listOf: { fields: DELIVERY } }, required: 'yes' },
          has_more: { type: 'boolean', required: 'yes' },
        },
      },
    },
    added: [400, 401, 403, 404, 429, 500],
    why: 'a merchant who misses an event must see whether it was sent',
  },
  getWebhookDelivery: {
    ...READ,
    path: '/webhooks/deliveries/{delivery_id}',
    response: {
      envelope: {
        fields: {
          ...DELIVERY,
          body: { type: 'string', required: 'yes' },
          attempts: { type: { listOf: { fields: ATTEMPT } }, required: 'yes' },
        },
      },
    },
    added: [401, 403, 404, 429, 500],
    why: 'and what their own server answered',
  },
  redeliverWebhook: {
    ...READ,
    method: 'POST',
    success: 202,
    path: '/webhooks/deliveries/{delivery_id}/redeliver',
    response: {
      envelope: {
        fields: {
          outcome: { type: { oneOf: ['started', 'requested', 'under_way'] }, required: 'yes' },
          delivery_id: { type: 'string', required: 'yes' },
        },
      },
    },
    added: [401, 403, 404, 409, 429, 500],
    why: 'a receiver that was repaired need not wait for the schedule',
  },
  replayWebhooks: {
    ...READ,
    method: 'POST',
    success: 202,
    path: '/webhooks/endpoints/{endpoint_id}/replay',
    response: { envelope: { fields: REPLAY } },
    added: [400, 401, 403, 404, 409, 429, 500],
    body: { since: '2026-11-20T18:00:00Z', until: '2026-11-21T06:00:00Z', only_failed: true },
    why: 'after an outage no user should click a thousand times',
  },
  getWebhookReplay: {
    ...READ,
    path: '/webhooks/replays/{replay_id}',
    response: { envelope: { fields: REPLAY } },
    added: [401, 403, 404, 429, 500],
    why: 'it runs in the background',
  },
  cancelWebhookReplay: {
    ...READ,
    method: 'POST',
    path: '/webhooks/replays/{replay_id}/cancel',
    response: { envelope: { fields: REPLAY } },
    added: [401, 403, 404, 429, 500],
    why: 'likewise',
  },
} as const;
