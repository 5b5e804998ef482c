import { ID, QUEUE } from './storage.ts';

/** Plans, usage toward monthly limits, and purchases. */
export const billing: readonly string[] = [
  // Null: a price agreed by contract, or no limit.
  `create table plan (
    tier ${ID} primary key check (tier in ('starter', 'business', 'professional', 'enterprise')),
    monthly_price_cents int8 check (monthly_price_cents >= 0),
    yearly_price_cents int8 check (yearly_price_cents >= 0),
    monthly_transaction_limit int8 check (monthly_transaction_limit >= 0),
    webhook_limit int4 check (webhook_limit >= 0),
    ip_whitelist boolean not null,
    create_detailed boolean not null,
    api_rate_limit_per_minute int4 not null check (api_rate_limit_per_minute > 0),
    api_rate_limit_per_hour int4 not null check (api_rate_limit_per_hour > 0)
  )`,
  `insert into plan values
    ('starter', 0, 0, 50, 1, false, false, 30, 500),
    ('business', 2900, 29000, 1000, 3, false, false, 100, 2000),
    ('professional', 9900, 99000, 10000, 10, true, true, 300, 5000),
    ('enterprise', null, null, null, null, true, true, 1000, 20000)`,

  `create table monthly_usage (
    merchant_id ${ID} not null,
    month ${ID} not null check (month ~ '^[0-9]{4,6}-[0-9]{2}$'),
    used int8 not null,
    primary key (merchant_id, month)
  ) with (fillfactor = 50, ${QUEUE})`,

  `create table plan_purchase (
    transaction_id ${ID} primary key,
    merchant_id ${ID} not null references merchant (id),
    mode ${ID} not null check (mode in ('live', 'test')),
    tier ${ID} not null references plan (tier),
    billing_months int4 not null check (billing_months > 0),
    purchase_type text not null check (purchase_type in ('plan_upgrade', 'plan_renewal')),
    applied_at timestamptz
  )`,
  `create index plan_purchase_merchant on plan_purchase (merchant_id, mode)`,
];
