import type { FieldTable, Type } from '../check.ts';
import { pageOf } from './transaction.ts';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES, PLAN_TIERS, TRANSACTION_STATUSES } from './values.ts';

/** The interface gives the names of the inner fields; their types are a decision of the service. */
export const ACCOUNT: FieldTable = {
  plan: {
    type: {
      fields: {
        tier: { type: { oneOf: PLAN_TIERS }, required: 'no' },
        billing_cycle: { type: { oneOf: ['monthly', 'yearly'] }, required: 'no', nullable: true },
        auto_renewal: { type: 'boolean', required: 'no' },
        expires_at: { type: 'date-time', required: 'no', nullable: true },
      },
    },
    required: 'no',
  },
  usage: {
    type: {
      fields: {
        monthly_transactions_used: { type: 'integer', required: 'no' },
        monthly_transaction_limit: { type: 'integer', required: 'no', nullable: true },
        overage_cost_per_tx: { type: { oneOf: [0] }, required: 'no' },
      },
    },
    required: 'no',
  },
  limits: {
    type: {
      fields: {
        api_rate_limit_per_minute: { type: 'integer', required: 'no' },
        api_rate_limit_per_hour: { type: 'integer', required: 'no' },
        webhook_support: { type: 'boolean', required: 'no' },
      },
    },
    required: 'no',
  },
};

const PLAN: FieldTable = {
  tier: { type: { oneOf: PLAN_TIERS }, required: 'no' },
  monthly_price_usd: { type: 'number', required: 'no', nullable: true },
  yearly_price_usd: { type: 'number', required: 'no', nullable: true },
  monthly_transaction_limit: { type: 'integer', required: 'no', nullable: true },
  overage_cost_per_tx: { type: { oneOf: [0] }, required: 'no' },
  webhook_support: { type: 'boolean', required: 'no' },
  webhook_limit: { type: 'integer', required: 'no', nullable: true },
  ip_whitelist: { type: 'boolean', required: 'no' },
  api_rate_limit_per_minute: { type: 'integer', required: 'no' },
  api_rate_limit_per_hour: { type: 'integer', required: 'no' },
  custom_pricing: { type: 'boolean', required: 'no' },
};

export const PLANS: Type = { listOf: { fields: PLAN } };

/** Always an empty list, so nothing is ever compared with the fields of a balance. */
export const BALANCES: Type = { listOf: { oneOf: [] } };

/** The values of `purchase_type` and `status` are decisions of the service. */
const INVOICE: FieldTable = {
  transaction_id: { type: 'string', required: 'no' },
  purchase_type: { type: { oneOf: ['plan_upgrade', 'plan_renewal'] }, required: 'no' },
  amount_fiat: { type: 'number', required: 'no' },
  currency_fiat: { type: { oneOf: FIAT_CURRENCIES }, required: 'no' },
  status: { type: { oneOf: TRANSACTION_STATUSES }, required: 'no' },
  crypto_symbol: { type: { oneOf: CRYPTO_SYMBOLS }, required: 'no' },
  created_at: { type: 'date-time', required: 'no' },
  confirmed_at: { type: 'date-time', required: 'no', nullable: true },
  expires_at: { type: 'date-time', required: 'no' },
};

export const INVOICES: FieldTable = pageOf('invoices', INVOICE);

const SHARE: FieldTable = {
  created: { type: 'integer', required: 'yes' },
  completed: { type: 'integer', required: 'yes' },
  volume_usd: { type: 'number', required: 'yes' },
};

/** All of it is a decision of the service. */
export const STATS: FieldTable = {
  totals: {
    type: {
      fields: {
        ...SHARE,
        expired: { type: 'integer', required: 'yes' },
        partial: { type: 'integer', required: 'yes' },
        failed: { type: 'integer', required: 'yes' },
        paid_late: { type: 'integer', required: 'yes' },
        conversion_rate: { type: 'number', required: 'yes', nullable: true },
        average_usd: { type: 'number', required: 'yes', nullable: true },
      },
    },
    required: 'yes',
  },
  by_status: { type: { byName: 'integer', names: TRANSACTION_STATUSES }, required: 'yes' },
  by_crypto: { type: { byName: { fields: SHARE }, names: CRYPTO_SYMBOLS }, required: 'yes' },
  by_fiat: {
    type: { byName: { fields: { ...SHARE, volume: { type: 'number', required: 'yes' } } }, names: FIAT_CURRENCIES },
    required: 'yes',
  },
  timeseries: {
    type: { listOf: { fields: { start: { type: 'date-time', required: 'yes' }, ...SHARE } } },
    required: 'yes',
  },
  timing: {
    type: {
      fields: {
        median_seconds_to_first_payment: { type: 'integer', required: 'yes', nullable: true },
        median_seconds_to_complete: { type: 'integer', required: 'yes', nullable: true },
      },
    },
    required: 'yes',
  },
  usage: {
    type: {
      fields: {
        used: { type: 'integer', required: 'yes' },
        limit: { type: 'integer', required: 'yes', nullable: true },
        resets_at: { type: 'date-time', required: 'yes' },
      },
    },
    required: 'yes',
  },
};

/** Not in the success envelope. */
export const HEALTH: FieldTable = {
  status: { type: { oneOf: ['ok', 'degraded'] }, required: 'yes' },
  service: { type: 'string', required: 'yes' },
  version: { type: 'string', required: 'yes' },
};
