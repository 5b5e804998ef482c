import type { FastifyInstance } from 'fastify';
import { TerminalError } from '../../errors.ts';
import { changePlanAsOperator, listAllPlans } from '../../operations/index.ts';
import { PLAN_TIERS } from '../../plan-tiers.ts';
import type { TierPlans } from '../contract/plans.ts';
import { type FieldReader, oneOf, readFields, text, whole, yesOrNo } from '../reading.ts';
import type { OperatorOptions } from './options.ts';
import { requestId } from './request-id.ts';
import { type TierChange, toPlanChange, toTierPlan } from './tier-plans.ts';

/** The same limit as on the command line. */
const MAX_BOUND = 999_999_999;
const MAX_REQUESTS = 1_000_000_000;

/** Prices and limits of every tier. */
export function tierRoutes(app: FastifyInstance, { deps, guard, operatorOf }: OperatorOptions): void {
  const plans = async (): Promise<TierPlans> => ({
    plans: (await listAllPlans(deps)).map(toTierPlan),
    isOn: deps.plansEnabled,
  });
  app.get('/plans', { onRequest: guard.read }, async () => ({
    data: await plans(),
  }));
  app.patch<{ Params: { tier: string } }>('/plans/:tier', { onRequest: guard.write }, async (request) => {
    const { tier } = readFields(request.params, { tier: oneOf(PLAN_TIERS) });
    await changePlanAsOperator(deps, operatorOf(request), tier, toPlanChange(readPlanChange(request.body)));
    return { data: await plans() };
  });
}

// Helpers

function readPlanChange(body: unknown): TierChange {
  const {
    reason,
    requestId: id,
    ...fields
  } = readFields(body, {
    monthlyPriceUsd: change(orNothing(priceUsd)),
    yearlyPriceUsd: change(orNothing(priceUsd)),
    monthlyTransactionLimit: change(orNothing(whole(0, MAX_BOUND))),
    webhookLimit: change(orNothing(whole(0, MAX_BOUND))),
    ipWhitelist: change(yesOrNo),
    createDetailed: change(yesOrNo),
    apiRateLimitPerMinute: change(whole(1, MAX_REQUESTS)),
    apiRateLimitPerHour: change(whole(1, MAX_REQUESTS)),
    reason: text,
    requestId,
  });
  // Omitted fields stay unchanged and are not recorded as requested.
  const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return { changes, reason, requestId: id };
}

/** An optional field. Unlike with `maybe`, null is a value. */
function change<T>(reader: FieldReader<T>): FieldReader<T | undefined> {
  return (value, name) => (value === undefined ? undefined : reader(value, name));
}

function orNothing<T>(reader: FieldReader<T>): FieldReader<T | null> {
  return (value, name) => (value === null ? null : reader(value, name));
}

/** USD with at most two decimals, as text. */
const priceUsd: FieldReader<string> = (value, name) => {
  if (typeof value === 'string' && /^\d{1,7}(\.\d{1,2})?$/.test(value)) return value;
  const message = `${name} must be text like "29" or "29.90", or null for a price agreed by contract`;
  throw new TerminalError('INVALID_REQUEST', message, { field: name });
};
