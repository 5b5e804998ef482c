/**
 * One order throughout the examples, from the request to the last webhook;
 * amounts follow from the rate.
 */
const ID = 'txn_9f2m7c1x5q8w3t6v0k4e7hzr2d';
const PAGE = `https://pay.example.com/transaction/${ID}`;
const CREATED_AT = '2026-11-21T10:00:00.000Z';
const EXPIRES_AT = '2026-11-21T10:30:00.000Z';

export const CREATE_REQUEST = {
  crypto: 'LTC',
  amount: 25,
  currency_fiat: 'EUR',
  metadata: { order: '1042' },
  customer_email: 'jo@example.com',
  success_url: 'https://shop.example.com/thanks?order=1042',
  cancel_url: 'https://shop.example.com/basket',
};

export const CREATE_DETAILED_REQUEST = {
  crypto: 'LTC',
  items: [
    { name: 'Coffee beans, 1 kg', quantity: 1, price: 19 },
    { name: 'Paper filters', quantity: 2, price: 3 },
  ],
  order_id: '1042',
  currency_fiat: 'EUR',
};

export const SIMULATE_REQUEST = { action: 'pay' };

export const DECISION_REQUEST = { action: 'mark_paid', reason: 'The goods were still there', seen_step: 4 };

const PENDING = {
  transaction_id: ID,
  status: 'pending',
  type: 'basic',
  crypto: 'LTC',
  deposit_address: 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh',
  amount_crypto: 0.3375,
  amount_fiat: 25,
  amount_usd: 27,
  amount_paid: 0,
  amount_remaining: 0.3375,
  currency_fiat: 'EUR',
  fiat_to_usd_rate: 1.08,
  exchange_rate: 80,
  confirmations_required: 3,
  payment_url: PAGE,
  order_id: null,
  customer_email: CREATE_REQUEST.customer_email,
  items: null,
  payments: [],
  metadata: CREATE_REQUEST.metadata,
  success_url: CREATE_REQUEST.success_url,
  cancel_url: CREATE_REQUEST.cancel_url,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  expires_at: EXPIRES_AT,
  amounts: { crypto: '0.3375', fiat: '25', usd: '27', paid: '0', remaining: '0.3375' },
  step: 1,
};

const PAYMENT = {
  txid: '6f7cf9580f1c2dfb3c4d5d043cdbb128c640e3f20161245aa7372e9666168516',
  amount_crypto: 0.3375,
  confirmations: 0,
  status: 'detected',
  detected_at: '2026-11-21T10:04:12.000Z',
  confirmed_at: null,
};

const PAID = {
  ...PENDING,
  amount_paid: 0.3375,
  amount_remaining: 0,
  amounts: { ...PENDING.amounts, paid: '0.3375', remaining: '0' },
  step: 2,
};
const AWAITING = {
  ...PAID,
  status: 'awaiting_confirmation',
  payments: [PAYMENT],
  updated_at: '2026-11-21T10:04:12.000Z',
};
const COMPLETED = {
  ...PAID,
  status: 'completed',
  payments: [{ ...PAYMENT, confirmations: 3, status: 'confirmed', confirmed_at: '2026-11-21T10:12:44.318Z' }],
  updated_at: '2026-11-21T10:12:44.318Z',
  step: 5,
};
const DETAILED = {
  ...PENDING,
  type: 'detailed',
  order_id: CREATE_DETAILED_REQUEST.order_id,
  items: CREATE_DETAILED_REQUEST.items,
  customer_email: null,
  metadata: null,
  success_url: null,
  cancel_url: null,
};
const BILLING = {
  ...DETAILED,
  type: 'billing',
  amount_crypto: 0.3625,
  amount_remaining: 0.3625,
  amounts: { crypto: '0.3625', fiat: '29', usd: '29', paid: '0', remaining: '0.3625' },
  amount_fiat: 29,
  amount_usd: 29,
  currency_fiat: 'USD',
  fiat_to_usd_rate: 1,
  order_id: null,
  items: null,
};

export const PENDING_RESPONSE = { success: true, data: PENDING };
export const DETAILED_RESPONSE = { success: true, data: DETAILED };
export const AWAITING_RESPONSE = { success: true, data: AWAITING };
export const COMPLETED_RESPONSE = { success: true, data: COMPLETED };
export const BILLING_RESPONSE = { success: true, data: BILLING };
export const LIST_RESPONSE = {
  success: true,
  data: { transactions: [COMPLETED], pagination: { limit: 20, offset: 0, total: 1 } },
};

export const EXISTING_TRANSACTION = {
  transaction_id: ID,
  status: 'pending',
  crypto: 'LTC',
  amount_fiat: 25,
  currency_fiat: 'EUR',
  payment_url: PAGE,
  expires_at: EXPIRES_AT,
};

/** Payload of an event of this order, without the fields that only some events have. */
export const WEBHOOK_PAYLOAD = {
  id: 'evt_3k7rj0v6m2c9xq5w1t8e4hzn0d',
  mode: 'live',
  timestamp: '2026-11-21T10:12:44.318Z',
  transaction_id: ID,
  currency_crypto: 'LTC',
  currency_fiat: 'EUR',
  amount_fiat: '25',
  amount_usd: '27',
  amount_crypto: '0.3375',
  order_id: null,
  metadata: CREATE_REQUEST.metadata,
};
export const RECEIPT_URL = PAGE;
