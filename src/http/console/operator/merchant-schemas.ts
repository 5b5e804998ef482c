import { type Static, Type } from 'typebox';
import { PLAN_TIERS } from '../../../merchants/index.ts';
import { MAX_MERCHANTS_PER_PAGE } from '../../../operations/index.ts';
import { Mode } from '../merchant/schemas.ts';
import { filters, nullable, oneOf, Timestamp, whole } from '../schema.ts';
import { page, Reason, RequestId, Text } from './schemas.ts';

/** Merchants and plans as operators see them: the requests, and the types of the responses. */

export type { PlanTier } from '../../../merchants/index.ts';
export type { ListedMerchant, MerchantDetail, MerchantPage } from '../../../operations/index.ts';

/** The same limit as on the command line. */
const MAX_BOUND = 999_999_999;
const MAX_REQUESTS = 1_000_000_000;

/** Newest first. */
export const MerchantsQuery = filters({
  search: Type.Optional(Text),
  failingMode: Type.Optional(Mode),
  ...page(MAX_MERCHANTS_PER_PAGE),
});

export const GivePlanBody = Type.Object({
  tier: oneOf(PLAN_TIERS),
  /** If omitted: no end date. */
  expiresAt: Type.Optional(Timestamp),
  reason: Reason,
  requestId: RequestId,
});
export type GivePlanBody = Static<typeof GivePlanBody>;

const PriceUsd = Type.String({
  pattern: '^\\d{1,7}(\\.\\d{1,2})?$',
  errorMessage: 'must be text like "29" or "29.90", or null for a custom price',
});

export const TierParams = Type.Object({ tier: oneOf(PLAN_TIERS) });

const TierTerms = Type.Object({
  /** Monthly price in USD, exact decimal text; null: agreed by contract. */
  monthlyPriceUsd: nullable(PriceUsd),
  /** Price of twelve months; null: twelve times the monthly price, or agreed by contract. */
  yearlyPriceUsd: nullable(PriceUsd),
  /** Completed payments per calendar month (UTC), without simulated ones; null: no limit. */
  monthlyTransactionLimit: nullable(whole(0, MAX_BOUND)),
  webhookLimit: nullable(whole(0, MAX_BOUND)),
  ipWhitelist: Type.Boolean(),
  createDetailed: Type.Boolean(),
  apiRateLimitPerMinute: whole(1, MAX_REQUESTS),
  apiRateLimitPerHour: whole(1, MAX_REQUESTS),
});

export type TierPlan = { readonly tier: Static<typeof TierParams>['tier'] } & Static<typeof TierTerms>;

/** The lowest tier first. */
export interface TierPlans {
  readonly plans: readonly TierPlan[];
  /** False: plans are switched off, and every merchant has one without limits. */
  readonly isOn: boolean;
}

/** Omitted fields stay unchanged. */
export const PlanChangesBody = Type.Object(
  { ...Type.Partial(TierTerms).properties, reason: Reason, requestId: RequestId },
  { nullIsValue: true },
);
export type PlanChangesBody = Static<typeof PlanChangesBody>;
