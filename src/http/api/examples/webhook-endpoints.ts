const ENDPOINT = {
  endpoint_id: 'whk_5d1c9w3x7q2m6t0v4k8e1hzr9n',
  url: 'https://shop.example.com/webhooks/quittance',
  events: ['payment.completed', 'payment.expired', 'payment.paid_late'],
  modes: ['live'],
  description: 'Web shop',
  enabled: true,
  disabled_at: null,
  disabled_because: null,
  disables_itself: false,
  disables_on_gone: false,
  max_per_second: null,
  failing_since: null,
  secret_changed_at: '2026-11-21T09:00:00.000Z',
  previous_secret_until: null,
  created_at: '2026-11-21T09:00:00.000Z',
};

export const CREATE_ENDPOINT_REQUEST = {
  url: ENDPOINT.url,
  events: ENDPOINT.events,
  description: ENDPOINT.description,
};
export const CHANGE_ENDPOINT_REQUEST = { enabled: false };
export const TEST_ENDPOINT_REQUEST = { event: 'payment.completed' };

export const ENDPOINT_RESPONSE = { success: true, data: ENDPOINT };
export const ENDPOINTS_RESPONSE = { success: true, data: { endpoints: [ENDPOINT] } };
export const DISABLED_ENDPOINT_RESPONSE = {
  success: true,
  data: { ...ENDPOINT, enabled: false, disabled_at: '2026-11-21T10:30:00.000Z', disabled_because: 'merchant' },
};
export const DELETED_ENDPOINT_RESPONSE = { success: true, data: { endpoint_id: ENDPOINT.endpoint_id, deleted: true } };
/** 32 zero bytes: not a real secret. */
export const SECRET_RESPONSE = {
  success: true,
  data: { endpoint: ENDPOINT, secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
};
export const ROTATE_SECRET_REQUEST = { overlap_hours: 12 };
export const ROTATED_SECRET_RESPONSE = {
  success: true,
  data: {
    endpoint: {
      ...ENDPOINT,
      secret_changed_at: '2026-11-21T10:30:00.000Z',
      previous_secret_until: '2026-11-21T22:30:00.000Z',
    },
    secret: SECRET_RESPONSE.data.secret,
  },
};
export const TEST_EVENT_RESPONSE = {
  success: true,
  data: {
    delivery_id: 'dlv_7t3v9k1e5hzr2n6d0c4w8x3q7m',
    event_id: 'evt_3k7rj0v6m2c9xq5w1t8e4hzn0d',
    event: 'payment.completed',
  },
};
