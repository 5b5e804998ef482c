/** Plan tiers of the API, lowest first. */
export const PLAN_TIERS = ['starter', 'business', 'professional', 'enterprise'] as const;
export type PlanTier = (typeof PLAN_TIERS)[number];

export function isPlanTier(text: string): text is PlanTier {
  return PLAN_TIERS.some((tier) => tier === text);
}

export function isLowerTier(tier: PlanTier, than: PlanTier): boolean {
  return PLAN_TIERS.indexOf(tier) < PLAN_TIERS.indexOf(than);
}
