import type { Plan, PlanChanges } from '../../billing/index.ts';
import type { PlanChangeRequest } from '../../operations/index.ts';
import type { TierPlan } from '../contract/plans.ts';

/** A change of a tier as the console sends it. */
export interface TierChange extends Omit<PlanChangeRequest, 'changes'> {
  /** Omitted fields stay unchanged. */
  readonly changes: Partial<Omit<TierPlan, 'tier'>>;
}

/** A plan as the console shows it: prices are exact text in USD; billing uses cents. */
export function toTierPlan({ monthlyPriceCents, yearlyPriceCents, ...plan }: Plan): TierPlan {
  return { ...plan, monthlyPriceUsd: toUsd(monthlyPriceCents), yearlyPriceUsd: toUsd(yearlyPriceCents) };
}

/** The reverse: a change from the console in billing's units. */
export function toPlanChange({ changes, ...request }: TierChange): PlanChangeRequest {
  const { monthlyPriceUsd, yearlyPriceUsd, ...rest } = changes;
  const prices: PlanChanges = {
    ...(monthlyPriceUsd === undefined ? {} : { monthlyPriceCents: toCents(monthlyPriceUsd) }),
    ...(yearlyPriceUsd === undefined ? {} : { yearlyPriceCents: toCents(yearlyPriceUsd) }),
  };
  return { ...request, changes: { ...rest, ...prices } };
}

// Helpers

const CENTS = 100;

function toUsd(cents: number | null): string | null {
  if (cents === null) return null;
  return `${Math.floor(cents / CENTS)}.${String(cents % CENTS).padStart(2, '0')}`;
}

/** The route accepts only digits with at most two decimal places. */
function toCents(usd: string | null): number | null {
  if (usd === null) return null;
  const [dollars = '0', cents = ''] = usd.split('.');
  return Number(dollars) * CENTS + Number(cents.padEnd(2, '0'));
}
