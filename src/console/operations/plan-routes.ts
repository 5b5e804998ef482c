import type { FastifyInstance } from 'fastify';
import { TerminalError } from '../../errors.ts';
import { PLAN_TIERS } from '../../plan-tiers.ts';
import type { TierPlans } from '../contract/plans.ts';
import { type FieldReader, oneOf, readFields, text, whole, yesOrNo } from '../reading.ts';
import type { OperationsOptions } from './options.ts';
import type { PlanChangeRequest } from './port.ts';
import { requestId } from './request-id.ts';

/** As many as the command line takes. */
const MAX_BOUND = 999_999_999;
const MAX_REQUESTS = 1_000_000_000;

/** What every tier costs and allows. */
export function tierRoutes(app: FastifyInstance, { operations, guard, operatorOf }: OperationsOptions): void {
  app.get('/plans', { onRequest: guard.read }, async () => ({
    data: (await operations.plans()) satisfies TierPlans,
  }));
  app.patch<{ Params: { tier: string } }>('/plans/:tier', { onRequest: guard.write }, async (request) => {
    const { tier } = readFields(request.params, { tier: oneOf(PLAN_TIERS) });
    await operations.changePlan(operatorOf(request), tier, readPlanChange(request.body));
    return { data: await operations.plans() };
  });
}

// Helpers

function readPlanChange(body: unknown): PlanChangeRequest {
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
  // What was left out stays as it is, and only what was said is kept as what was asked for.
  const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return { changes, reason, requestId: id };
}

/** A field that may be left out. Other than with `maybe`, null is an answer of its own. */
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
