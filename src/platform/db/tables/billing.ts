import type { Mode } from '../../../../machines/index.ts';
import type { NullableTimestamp } from './columns.ts';

/** Price and limits of a plan tier. Seeded by the migration, changed by the operator. */
export interface PlanTable {
  tier: string;
  /** In US cents; null for a price agreed by contract. */
  monthly_price_cents: number | null;
  yearly_price_cents: number | null;
  /** Payments per calendar month; null for unlimited. */
  monthly_transaction_limit: number | null;
  webhook_limit: number | null;
  ip_whitelist: boolean;
  create_detailed: boolean;
  api_rate_limit_per_minute: number;
  api_rate_limit_per_hour: number;
}

/** Payments that count toward the monthly limit; written in the commit that completes them. */
export interface MonthlyUsageTable {
  merchant_id: string;
  /** UTC month, such as `2026-11`. */
  month: string;
  used: number;
}

/**
 * Which plan a billing transaction pays for, and for which merchant. The transaction belongs to the
 * operator.
 */
export interface PlanPurchaseTable {
  transaction_id: string;
  /** The merchant that buys the plan. */
  merchant_id: string;
  mode: Mode;
  tier: string;
  billing_months: number;
  purchase_type: 'plan_upgrade' | 'plan_renewal';
  /** When the plan was activated; null until then, and always in test mode. */
  applied_at: NullableTimestamp;
}
