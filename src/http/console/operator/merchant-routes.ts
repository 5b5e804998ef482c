import { parseCoins } from '../../../../machines/index.ts';
import { type Plan, type PlanChanges, toUsdText } from '../../../billing/index.ts';
import {
  approveAsOperator,
  changePlanAsOperator,
  getMerchant,
  giveMerchantPlan,
  listAllPlans,
  listMerchants,
} from '../../../operations/index.ts';
import { IdParams } from '../schema.ts';
import { guard, operatorOf } from './guard.ts';
import {
  GivePlanBody,
  MerchantsQuery,
  PlanChangesBody,
  TierParams,
  type TierPlan,
  type TierPlans,
} from './merchant-schemas.ts';
import type { OperatorApp, OperatorOptions } from './options.ts';
import { ReasonBody } from './schemas.ts';

const DEFAULT_MERCHANTS = 50;

export function merchantRoutes(app: OperatorApp, { deps }: OperatorOptions): void {
  const listing = { onRequest: guard.read, schema: { querystring: MerchantsQuery } };
  app.get('/merchants', listing, async ({ query }) => ({
    data: await listMerchants(deps, { search: null, cursor: null, limit: DEFAULT_MERCHANTS, ...query }),
  }));
  app.get('/merchants/:id', { onRequest: guard.read, schema: { params: IdParams } }, async ({ params }) => ({
    data: await getMerchant(deps, params.id),
  }));
  const giving = { onRequest: guard.decide, schema: { params: IdParams, body: GivePlanBody } };
  app.post('/merchants/:id/plan', giving, async (request) => {
    const { id } = request.params;
    await giveMerchantPlan(deps, operatorOf(request), id, { expiresAt: null, ...request.body });
    return { data: await getMerchant(deps, id) };
  });
  const approval = { onRequest: guard.decide, schema: { params: IdParams, body: ReasonBody } };
  app.post('/merchants/:id/approve', approval, async (request) => {
    const { id } = request.params;
    await approveAsOperator(deps, operatorOf(request), id, request.body);
    return { data: await getMerchant(deps, id) };
  });
}

export function planRoutes(app: OperatorApp, { deps }: OperatorOptions): void {
  const plans = async (): Promise<TierPlans> => ({
    plans: (await listAllPlans(deps)).map(toTierPlan),
    isOn: deps.plansEnabled,
  });
  app.get('/plans', { onRequest: guard.read }, async () => ({ data: await plans() }));
  const changing = { onRequest: guard.decide, schema: { params: TierParams, body: PlanChangesBody } };
  app.patch('/plans/:tier', changing, async (request) => {
    const { reason, requestId, ...changes } = request.body;
    const change = { reason, requestId, changes: toPlanChanges(changes) };
    await changePlanAsOperator(deps, operatorOf(request), request.params.tier, change);
    return { data: await plans() };
  });
}

// Helpers

/** A plan as the console shows it: prices are exact text in USD; billing uses cents. */
function toTierPlan({ monthlyPriceCents, yearlyPriceCents, ...plan }: Plan): TierPlan {
  return { ...plan, monthlyPriceUsd: toUsd(monthlyPriceCents), yearlyPriceUsd: toUsd(yearlyPriceCents) };
}

/** The reverse. Omitted fields stay unchanged and are not recorded as requested. */
function toPlanChanges(changes: Partial<Omit<TierPlan, 'tier'>>): PlanChanges {
  const { monthlyPriceUsd, yearlyPriceUsd, ...rest } = changes;
  return {
    ...rest,
    ...(monthlyPriceUsd === undefined ? {} : { monthlyPriceCents: toCents(monthlyPriceUsd) }),
    ...(yearlyPriceUsd === undefined ? {} : { yearlyPriceCents: toCents(yearlyPriceUsd) }),
  };
}

function toUsd(cents: number | null): string | null {
  return cents === null ? null : toUsdText(cents);
}

/** The schema accepts only digits with at most two decimal places. */
function toCents(usd: string | null): number | null {
  return usd === null ? null : Number(parseCoins(usd, 2));
}
