import type { Tier } from './merchants.ts';

/** What a tier costs and allows. */
export interface TierPlan {
  readonly tier: Tier;
  /** Price of a month in USD, exact decimal text; null: agreed by contract. */
  readonly monthlyPriceUsd: string | null;
  /** Price of twelve months; null: twelve times the month, or agreed by contract. */
  readonly yearlyPriceUsd: string | null;
  /** Completed live payments a calendar month (UTC); null: without bound. */
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
  /** False: the service has plans switched off, and everybody has one without limits. */
  readonly isOn: boolean;
}

/** PATCH `plans/:tier`, answers `TierPlans`. What is left out stays. */
export interface PlanChangesBody extends Partial<Omit<TierPlan, 'tier'>> {
  readonly reason: string;
  /** Makes a repeated request one request. */
  readonly requestId: string;
}
