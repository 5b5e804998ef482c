/** One membership throughout the examples, from the request to the day the customer ends it. */
const ID = '0d6f2c1e-5b7a-4c39-9e14-8a2f7b61c5d3';
const PAID_BY = 'txn_6x1v8r4m0c7t2k9q5w3j8h1z4n';

export const CREATE_SCHEDULE_REQUEST = {
  reference: 'member 77',
  customer_email: 'jo@example.com',
  amount: 25,
  currency_fiat: 'EUR',
  interval: 'monthly',
  description: 'Membership of the climbing hall',
  max_periods: 12,
  metadata: { hall: 'north' },
};

const PENDING = {
  schedule_id: ID,
  reference: CREATE_SCHEDULE_REQUEST.reference,
  customer_email: CREATE_SCHEDULE_REQUEST.customer_email,
  description: CREATE_SCHEDULE_REQUEST.description,
  amount_fiat: 25,
  currency_fiat: 'EUR',
  interval: 'monthly',
  status: 'pending_confirmation',
  crypto: null,
  start_at: null,
  max_periods: 12,
  metadata: CREATE_SCHEDULE_REQUEST.metadata,
  success_url: null,
  is_test: false,
  confirmations_sent: 1,
  last_period_no: 0,
  next_due_at: null,
  created_at: '2026-11-21T09:00:00.000Z',
  confirmed_at: null,
  ended_at: null,
  end_reason: null,
};
const ACTIVE = {
  ...PENDING,
  status: 'active',
  last_period_no: 1,
  next_due_at: '2026-12-21T17:20:05.114Z',
  confirmed_at: '2026-11-21T17:20:05.114Z',
};
const PAUSED = { ...ACTIVE, status: 'paused', next_due_at: null };
const CANCELLED = {
  ...PAUSED,
  status: 'cancelled',
  ended_at: '2026-12-02T08:15:30.002Z',
  end_reason: 'cancelled',
};

export const SCHEDULE_PENDING_RESPONSE = { success: true, data: PENDING };
export const SCHEDULE_RESENT_RESPONSE = { success: true, data: { ...PENDING, confirmations_sent: 2 } };
export const SCHEDULE_ACTIVE_RESPONSE = { success: true, data: ACTIVE };
export const SCHEDULE_PAUSED_RESPONSE = { success: true, data: PAUSED };
export const SCHEDULE_CANCELLED_RESPONSE = { success: true, data: CANCELLED };

export const SCHEDULES_RESPONSE = {
  success: true,
  data: { schedules: [ACTIVE], pagination: { limit: 20, offset: 0, total: 1 } },
};

export const PERIODS_RESPONSE = {
  success: true,
  data: {
    periods: [
      {
        period_no: 1,
        status: 'paid',
        due_at: '2026-11-21T17:20:05.114Z',
        requested_at: '2026-11-21T17:20:05.114Z',
        reminders_sent: 1,
        settled_at: '2026-11-24T18:41:09.730Z',
        transaction_id: PAID_BY,
        payment_url: 'https://pay.example.com/recurring/pay/5f0c8e3b9a7d41f2b6c01e8d7a4f9230',
        attempts: [PAID_BY, 'txn_2c7w9n5h0t4r8k1m6x3v7j2q5z'],
        excess_transaction_ids: [],
      },
    ],
    pagination: { limit: 20, offset: 0, total: 1 },
  },
};

export const SIMULATE_SCHEDULE_REQUEST = { action: 'confirm' };
export const SCHEDULE_SIMULATED_RESPONSE = { success: true, data: { ...ACTIVE, is_test: true } };

/** Payload of an event of this membership, without the fields that only some events have. */
export const RECURRING_PAYLOAD = {
  id: 'evt_8n4t1z6q3x0k7v2c9m5w4h8r1j',
  mode: 'live',
  timestamp: '2026-11-24T18:41:09.730Z',
  schedule_id: ID,
  reference: CREATE_SCHEDULE_REQUEST.reference,
  customer_email: CREATE_SCHEDULE_REQUEST.customer_email,
  description: CREATE_SCHEDULE_REQUEST.description,
  amount_fiat: '25',
  currency_fiat: 'EUR',
  interval: 'monthly',
};
export const PERIOD_PAID_BY = PAID_BY;
