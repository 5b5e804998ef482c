const BUSINESS = {
  tier: 'business',
  monthly_price_usd: 29,
  yearly_price_usd: 290,
  monthly_transaction_limit: 1_000,
  overage_cost_per_tx: 0,
  webhook_support: true,
  webhook_limit: 3,
  ip_whitelist: false,
  api_rate_limit_per_minute: 100,
  api_rate_limit_per_hour: 2_000,
  custom_pricing: false,
};

export const ACCOUNT_RESPONSE = {
  success: true,
  data: {
    plan: { tier: 'business', billing_cycle: 'monthly', auto_renewal: false, expires_at: '2026-12-21T10:00:00.000Z' },
    usage: { monthly_transactions_used: 412, monthly_transaction_limit: 1_000, overage_cost_per_tx: 0 },
    limits: { api_rate_limit_per_minute: 100, api_rate_limit_per_hour: 2_000, webhook_support: true },
  },
};

export const PLANS_RESPONSE = {
  success: true,
  data: [
    BUSINESS,
    {
      ...BUSINESS,
      tier: 'enterprise',
      monthly_price_usd: null,
      yearly_price_usd: null,
      monthly_transaction_limit: null,
      webhook_limit: null,
      ip_whitelist: true,
      api_rate_limit_per_minute: 1_000,
      api_rate_limit_per_hour: 20_000,
      custom_pricing: true,
    },
  ],
};

export const INVOICES_RESPONSE = {
  success: true,
  data: {
    invoices: [
      {
        transaction_id: 'txn_4t8w1m6q0z3x7c9v2n5b8h1k4e',
        purchase_type: 'plan_upgrade',
        amount_fiat: 29,
        currency_fiat: 'USD',
        status: 'completed',
        crypto_symbol: 'LTC',
        created_at: '2026-11-21T09:40:00.000Z',
        confirmed_at: '2026-11-21T09:52:10.000Z',
        expires_at: '2026-11-21T10:10:00.000Z',
      },
    ],
    pagination: { limit: 20, offset: 0, total: 1 },
  },
};

export const CHECKOUT_REQUEST = { tier: 'business', billing_months: 1 };

export const BALANCES_RESPONSE = { success: true, data: [] };

/** Two days of the shop in the examples: ten transactions, eight of them paid. */
const DAYS = [
  { start: '2026-11-20T00:00:00.000Z', created: 6, completed: 5, volume_usd: 135 },
  { start: '2026-11-21T00:00:00.000Z', created: 4, completed: 3, volume_usd: 81 },
];
const SHARE = { created: 10, completed: 8, volume_usd: 216 };

export const STATS_RESPONSE = {
  success: true,
  data: {
    totals: {
      ...SHARE,
      expired: 1,
      partial: 0,
      failed: 0,
      paid_late: 0,
      conversion_rate: 0.8,
      average_usd: 27,
    },
    by_status: { pending: 1, awaiting_confirmation: 0, completed: 8, partial: 0, expired: 1, failed: 0 },
    by_crypto: { LTC: SHARE },
    by_fiat: { EUR: { ...SHARE, volume: 200 } },
    timeseries: DAYS,
    timing: { median_seconds_to_first_payment: 95, median_seconds_to_complete: 540 },
    usage: { used: 412, limit: 1_000, resets_at: '2026-12-01T00:00:00.000Z' },
  },
};
