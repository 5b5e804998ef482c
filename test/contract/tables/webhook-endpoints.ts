import type { FieldTable, Type } from '../check.ts';
import { PAYMENT_EVENTS, RECURRING_EVENTS } from './webhook.ts';

/** Management of webhook endpoints, which the interface leaves to a dashboard. */
export const EVENT: Type = {
  oneOf: [...Object.keys(PAYMENT_EVENTS), ...RECURRING_EVENTS],
};

const WEBHOOK_ENDPOINT: FieldTable = {
  endpoint_id: { type: 'string', required: 'yes' },
  url: { type: 'uri', required: 'yes' },
  events: { type: { listOf: EVENT }, required: 'yes' },
  modes: { type: { listOf: { oneOf: ['live', 'test'] } }, required: 'yes' },
  description: { type: 'string', required: 'yes' },
  enabled: { type: 'boolean', required: 'yes' },
  disabled_at: { type: 'date-time', required: 'yes', nullable: true },
  disabled_because: { type: { oneOf: ['merchant', 'failing', 'gone'] }, required: 'yes', nullable: true },
  disables_itself: { type: 'boolean', required: 'yes' },
  disables_on_gone: { type: 'boolean', required: 'yes' },
  max_per_second: { type: 'integer', required: 'yes', nullable: true },
  failing_since: { type: 'date-time', required: 'yes', nullable: true },
  secret_changed_at: { type: 'date-time', required: 'yes' },
  previous_secret_until: { type: 'date-time', required: 'yes', nullable: true },
  created_at: { type: 'date-time', required: 'yes' },
};
const ENDPOINT = { fields: WEBHOOK_ENDPOINT } as const;
const WITH_SECRET: FieldTable = {
  endpoint: { type: ENDPOINT, required: 'yes' },
  secret: { type: 'string', required: 'yes' },
};

const OF_ONE = { access: 'secret key', success: 200, path: '/webhooks/endpoints/{endpoint_id}', failures: [] } as const;

export const WEBHOOK_ENDPOINTS = {
  listWebhookEndpoints: {
    ...OF_ONE,
    method: 'GET',
    path: '/webhooks/endpoints',
    response: { envelope: { fields: { endpoints: { type: { listOf: ENDPOINT }, required: 'yes' } } } },
    added: [401, 403, 429, 500],
    why: 'scripts cannot use the dashboard',
  },
  createWebhookEndpoint: {
    ...OF_ONE,
    method: 'POST',
    path: '/webhooks/endpoints',
    success: 201,
    response: { envelope: { fields: WITH_SECRET } },
    added: [400, 401, 403, 409, 429, 500],
    body: { url: 'https://shop.invalid/hooks', description: 'Web shop' },
    why: 'likewise',
  },
  getWebhookEndpoint: {
    ...OF_ONE,
    method: 'GET',
    response: { envelope: ENDPOINT },
    added: [401, 403, 404, 429, 500],
    why: 'likewise',
  },
  changeWebhookEndpoint: {
    ...OF_ONE,
    method: 'PATCH',
    response: { envelope: ENDPOINT },
    added: [400, 401, 403, 404, 409, 429, 500],
    body: { enabled: false },
    why: 'likewise',
  },
  deleteWebhookEndpoint: {
    ...OF_ONE,
    method: 'DELETE',
    response: {
      envelope: {
        fields: {
          endpoint_id: { type: 'string', required: 'yes' },
          deleted: { type: { oneOf: [true] }, required: 'yes' },
        },
      },
    },
    added: [401, 403, 404, 429, 500],
    why: 'likewise',
  },
  regenerateWebhookSecret: {
    ...OF_ONE,
    method: 'POST',
    path: '/webhooks/endpoints/{endpoint_id}/regenerate-secret',
    response: { envelope: { fields: WITH_SECRET } },
    added: [401, 403, 404, 429, 500],
    why: 'a secret that leaked must be dead at once, whatever the hour',
  },
  rotateWebhookSecret: {
    ...OF_ONE,
    method: 'POST',
    path: '/webhooks/endpoints/{endpoint_id}/rotate-secret',
    response: { envelope: { fields: WITH_SECRET } },
    added: [400, 401, 403, 404, 429, 500],
    body: { overlap_hours: 24 },
    why: 'a receiver can be given a new secret without refusing a single event',
  },
  testWebhookEndpoint: {
    ...OF_ONE,
    method: 'POST',
    path: '/webhooks/endpoints/{endpoint_id}/test',
    success: 202,
    response: {
      envelope: {
        fields: {
          delivery_id: { type: 'string', required: 'yes' },
          event_id: { type: 'string', required: 'yes' },
          event: { type: EVENT, required: 'yes' },
        },
      },
    },
    added: [400, 401, 403, 404, 409, 429, 500],
    body: { event: 'recurring.stopped' },
    why: 'a receiver can be tried before somebody pays',
  },
} as const;
