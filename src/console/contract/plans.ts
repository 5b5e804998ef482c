import type { Tier } from './merchants.ts';

/** Prices and limits of a tier. */
export interface TierPlan {
  readonly tier: Tier;
  /** Monthly price in USD, exact decimal text; null: agreed by contract. */
  readonly monthlyPriceUsd: string | null;
  /** Price of twelve months; null: twelve times the monthly price, or agreed by contract. */
  readonly yearlyPriceUsd: string | null;
  /** Completed live payments per calendar month (UTC); null: no limit. */
  readonly monthlyTransactionLimit: number | null;
  readonly webhookLimit: number | null;
  readonly ipWhitelist: boolean;
  readonly createDetailed: boolean;
  readonly apiRateLimitPerMinute: number;
  readonly apiRateLimitPerHour: number;
}

/** GET `plans`, the lowest tier first. */
export interface TierPlans {
  readonly plans: readonly TierPlan[];
  /** False: plans are switched off, and every merchant has one without limits. */
  readonly isOn: boolean;
}

/** PATCH `plans/:tier`, returns `TierPlans`. Omitted fields stay unchanged. */
export interface PlanChangesBody extends Partial<Omit<TierPlan, 'tier'>> {
  readonly reason: string;
  /** Idempotency key. */
  readonly requestId: string;
}
