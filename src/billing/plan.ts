import type { Selectable } from 'kysely';
import { isPlanTier, type PlanTier } from '../merchants/index.ts';
import type { Database } from '../platform/db/index.ts';

/** Prices and limits of a tier. Null: a price by contract, or no limit. */
export interface Plan {
  readonly tier: PlanTier;
  readonly monthlyPriceCents: number | null;
  readonly yearlyPriceCents: number | null;
  /** Completed payments per calendar month (UTC), without simulated ones. */
  readonly monthlyTransactionLimit: number | null;
  readonly webhookLimit: number | null;
  readonly ipWhitelist: boolean;
  readonly createDetailed: boolean;
  readonly apiRateLimitPerMinute: number;
  readonly apiRateLimitPerHour: number;
}

const MONTHS_OF_A_YEAR = 12;

/**
 * Price of that many months in US cents: whole years at the yearly price, the rest at the monthly
 * one. Null: not for sale.
 */
export function priceCents(plan: Plan, months: number): number | null {
  const { monthlyPriceCents, yearlyPriceCents } = plan;
  if (monthlyPriceCents === null) return null;
  if (yearlyPriceCents === null) return months * monthlyPriceCents;
  const years = Math.floor(months / MONTHS_OF_A_YEAR);
  return years * yearlyPriceCents + (months % MONTHS_OF_A_YEAR) * monthlyPriceCents;
}

/** US cents in USD. Null: a price by contract. */
export function toUsd(cents: number | null): number | null {
  return cents === null ? null : cents / 100;
}

/** US cents as exact text in USD: 4900 becomes `49.00`. */
export function toUsdText(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** Billing cycle of a purchase of that many months. */
export function cycleOf(months: number): 'monthly' | 'yearly' {
  return months % MONTHS_OF_A_YEAR === 0 ? 'yearly' : 'monthly';
}

/** The only plan when plans are disabled. API rate limits still come from its row. */
export function withoutLimits(plan: Plan): Plan {
  return {
    ...plan,
    monthlyPriceCents: 0,
    yearlyPriceCents: 0,
    monthlyTransactionLimit: null,
    webhookLimit: null,
    ipWhitelist: true,
    createDetailed: true,
  };
}

export type PlanRow = Selectable<Database['plan']>;

export function toPlan(row: PlanRow): Plan {
  const { tier } = row;
  if (!isPlanTier(tier)) throw new Error(`the table "plan" has the unknown tier "${tier}"`);
  return {
    tier,
    monthlyPriceCents: row.monthly_price_cents,
    yearlyPriceCents: row.yearly_price_cents,
    monthlyTransactionLimit: row.monthly_transaction_limit,
    webhookLimit: row.webhook_limit,
    ipWhitelist: row.ip_whitelist,
    createDetailed: row.create_detailed,
    apiRateLimitPerMinute: row.api_rate_limit_per_minute,
    apiRateLimitPerHour: row.api_rate_limit_per_hour,
  };
}

export function toRow(plan: Plan): PlanRow {
  return {
    tier: plan.tier,
    monthly_price_cents: plan.monthlyPriceCents,
    yearly_price_cents: plan.yearlyPriceCents,
    monthly_transaction_limit: plan.monthlyTransactionLimit,
    webhook_limit: plan.webhookLimit,
    ip_whitelist: plan.ipWhitelist,
    create_detailed: plan.createDetailed,
    api_rate_limit_per_minute: plan.apiRateLimitPerMinute,
    api_rate_limit_per_hour: plan.apiRateLimitPerHour,
  };
}
