/** The enumerations of the interface. */

export const CRYPTO_SYMBOLS = [
  'BTC',
  'LTC',
  'DOGE',
  'DASH',
  'ETH',
  'USDT',
  'USDC',
  'EURC',
  'DAI',
  'WBTC',
  'SHIB',
  'PEPE',
  'LINK',
  'UNI',
  'AAVE',
  'MKR',
];
export const FIAT_CURRENCIES = ['USD', 'PLN', 'EUR', 'GBP'];
export const TRANSACTION_STATUSES = ['pending', 'awaiting_confirmation', 'completed', 'partial', 'expired', 'failed'];
export const TRANSACTION_EXCEPTIONS = ['paid_late', 'needs_review'];
export const INTERVALS = ['weekly', 'monthly', 'quarterly', 'yearly'];
export const SCHEDULE_STATUSES = [
  'pending_confirmation',
  'active',
  'paused',
  'cancelled',
  'stopped_by_customer',
  'bounced',
  'expired_unconfirmed',
];
export const PLAN_TIERS = ['starter', 'business', 'professional', 'enterprise'];
