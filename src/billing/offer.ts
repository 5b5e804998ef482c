import type { CryptoSymbol, UnixMs } from '../../machines/index.ts';
import { type Caller, callerForMerchant, findMerchant } from '../merchants/index.ts';
import { listPayableCryptos } from '../payments/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { allowanceOf } from './allowance.ts';
import { buy, type HeldPlan, type PurchaseResult, type PurchaseType } from './buying.ts';
import type { BillingDeps } from './checkout.ts';
import { graceEndsAt, hasLapsed } from './grace-period.ts';
import { nextMonthStart } from './months.ts';
import { type Plan, priceCents } from './plan.ts';
import { listPlans } from './plan-rows.ts';
import { type PlanUsage, readPlanUsage } from './plan-usage.ts';

/** A merchant's plan, and the plans it could buy. */
export interface Offer {
  readonly held: HeldPlan & {
    readonly plan: Plan;
    /** When the grace period ends and nothing new can start; null if it does not expire. */
    readonly graceEndsAt: UnixMs | null;
    readonly condition: PlanCondition;
  };
  readonly used: number;
  /** Payments admitted per month, which can be a few more than the limit; null: unlimited. */
  readonly allowance: number | null;
  readonly resetsAt: UnixMs;
  readonly salesStatus: PlanSales;
  /** All plans, lowest first; empty where nothing is sold. */
  readonly choices: readonly Choice[];
  /** Coins that the operator accepts now. */
  readonly payableIn: readonly CryptoSymbol[];
}

/** A plan that has ended continues through its grace period. */
export type PlanCondition = 'running' | 'in_grace' | 'lapsed';

/**
 * Whether plans can be bought, or why not: plans are off, no operator merchant receives payments,
 * or this merchant is the operator's.
 */
export type PlanSales = 'open' | 'without_plans' | 'no_recipient' | 'is_operator';

export interface Choice {
  readonly plan: Plan;
  /** Null when it cannot be bought. */
  readonly purchaseType: PurchaseType | null;
  readonly obstacle: ChoiceObstacle | null;
  /** Terms that can be bought in one purchase, with the current price and resulting end date. */
  readonly terms: readonly { readonly months: number; readonly priceCents: number; readonly endsAt: UnixMs | null }[];
}

/** Why a plan cannot be bought, from `buy` or from its price. */
export type ChoiceObstacle = Extract<PurchaseResult, { ok: false }>['problem'] | 'agreed_in_person' | 'costs_nothing';

export type OfferDeps = Pick<
  BillingDeps,
  'db' | 'networks' | 'overview' | 'clock' | 'plansEnabled' | 'operatorMerchant'
>;

const OFFERED_MONTHS = [1, 12] as const;

/**
 * A merchant's plan and what it could buy in one mode, by the rules of `checkout`. Throws a
 * `TerminalError` `NO_ACTIVE_PLAN` when its plan is unknown.
 */
export async function getOffer(
  deps: OfferDeps,
  { merchantId, mode }: Pick<Caller, 'merchantId' | 'mode'>,
): Promise<Offer> {
  const { clock, plansEnabled } = deps;
  const now = clock.now();
  const [usage, plans] = await Promise.all([usageOf(deps, merchantId, now), listPlans(deps)]);
  const [onlyPlan] = plans;
  const seller = await findSeller(deps, merchantId);
  const common = { used: usage.used, resetsAt: nextMonthStart(now), salesStatus: seller.salesStatus };
  if (!plansEnabled && onlyPlan !== undefined) {
    const held = { plan: onlyPlan, tier: onlyPlan.tier, cycle: null, expiresAt: null, endsOnDay: null } as const;
    return {
      ...common,
      held: { ...held, graceEndsAt: null, condition: 'running' },
      allowance: null,
      choices: [],
      payableIn: [],
    };
  }
  const { plan, cycle, expiresAt, endsOnDay } = usage;
  const held = { tier: plan.tier, cycle, expiresAt, endsOnDay };
  return {
    ...common,
    held: {
      ...held,
      plan,
      graceEndsAt: graceEndsAt(expiresAt),
      condition: conditionOf(usage, now),
    },
    allowance: allowanceOf(usage, now),
    choices: plans.map((each) => choiceOf(each, held, now)),
    payableIn: seller.merchantId === null ? [] : await coinsOf(deps, seller.merchantId, mode),
  };
}

// Helpers

async function usageOf({ db }: OfferDeps, merchantId: string, now: UnixMs): Promise<PlanUsage> {
  const usages = await readPlanUsage(db, [merchantId], now);
  const usage = usages.get(merchantId);
  if (usage === undefined) {
    throw new TerminalError('NO_ACTIVE_PLAN', 'This account has no plan; contact the operator of this service');
  }
  return usage;
}

/** The merchant that receives this merchant's plan payments. */
async function findSeller(
  { db, plansEnabled, operatorMerchant }: OfferDeps,
  buyerId: string,
): Promise<{ readonly salesStatus: PlanSales; readonly merchantId: string | null }> {
  if (!plansEnabled) return { salesStatus: 'without_plans', merchantId: null };
  const operator = operatorMerchant === null ? null : await findMerchant(db, operatorMerchant);
  if (operator === null) return { salesStatus: 'no_recipient', merchantId: null };
  return operator.id === buyerId
    ? { salesStatus: 'is_operator', merchantId: null }
    : { salesStatus: 'open', merchantId: operator.id };
}

async function coinsOf(deps: OfferDeps, merchantId: string, mode: Caller['mode']): Promise<CryptoSymbol[]> {
  const coins = await listPayableCryptos(deps, await callerForMerchant(deps.db, { merchantId, mode }));
  return coins.map(({ symbol }) => symbol);
}

function conditionOf(usage: PlanUsage, now: UnixMs): PlanCondition {
  if (hasLapsed(usage, now)) return 'lapsed';
  return usage.expiresAt !== null && usage.expiresAt <= now ? 'in_grace' : 'running';
}

function choiceOf(plan: Plan, held: HeldPlan, now: UnixMs): Choice {
  const terms = OFFERED_MONTHS.flatMap((months) => {
    const cents = priceCents(plan, months);
    const bought = buy(held, { tier: plan.tier, months }, now);
    return cents === null ? [] : [{ months, priceCents: cents, endsAt: bought.ok ? bought.plan.expiresAt : null }];
  });
  const bought = buy(held, { tier: plan.tier, months: 1 }, now);
  const obstacle = bought.ok ? obstacleOfPrice(terms) : bought.problem;
  return { plan, purchaseType: bought.ok && obstacle === null ? bought.purchaseType : null, obstacle, terms };
}

function obstacleOfPrice(terms: Choice['terms']): ChoiceObstacle | null {
  if (terms.length === 0) return 'agreed_in_person';
  return terms.every(({ priceCents: cents }) => cents === 0) ? 'costs_nothing' : null;
}
