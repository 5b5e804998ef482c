import type { NullableMoment } from './columns.ts';

/** What a tier costs and allows. Seeded by the migration, changed by the operator. */
export interface PlanTable {
  tier: string;
  /** In US cents; null where the price is agreed by contract. */
  monthly_price_cents: number | null;
  yearly_price_cents: number | null;
  /** Payments a calendar month; null without bound. */
  monthly_transaction_limit: number | null;
  webhook_limit: number | null;
  ip_whitelist: boolean;
  create_detailed: boolean;
  api_rate_limit_per_minute: number;
  api_rate_limit_per_hour: number;
}

/** Payments that count toward the limit: written in the commit that completes them. */
export interface MonthlyUsageTable {
  merchant_id: string;
  /** UTC, like `2026-11`. */
  month: string;
  used: number;
}

/** Which plan a billing transaction pays for, and for whom. The transaction itself is the operator's. */
export interface PlanPurchaseTable {
  transaction_id: string;
  /** Who buys. */
  merchant_id: string;
  mode: 'live' | 'test';
  tier: string;
  billing_months: number;
  purchase_type: 'plan_upgrade' | 'plan_renewal';
  /** When the plan was given; null before, and for ever in test mode. */
  applied_at: NullableMoment;
}
