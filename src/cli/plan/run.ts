import { getPlan, listPlans, type Plan, toUsd } from '../../billing/index.ts';
import { changePlanAsOperator } from '../../operations/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { loadConfig } from '../../platform/config/index.ts';
import { newId } from '../../platform/ids.ts';
import { commandAuthor } from '../author.ts';
import { usage } from '../options.ts';
import { printResult, tableText } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { PlanValues } from './commands.ts';

/** `quittance plan list`: prices and limits of every tier. */
export async function planList({ json }: PlanValues['list']): Promise<void> {
  const config = loadConfig(process.env);
  const plans = await withDatabase(config, (db) => listPlans({ db, plansEnabled: true }));
  const note = config.plansEnabled
    ? ''
    : '\nPLANS is off: none of this applies, and every merchant has one plan without limits.';
  printResult(
    json,
    { plans_enabled: config.plansEnabled, plans: plans.map(planJson) },
    () => `${plansText(plans)}${note}`,
  );
}

/** `quittance plan set`: changes prices and limits of a tier, for every merchant that has it. */
export async function planSet(options: PlanValues['set']): Promise<void> {
  const changes = changesOf(options);
  if (Object.keys(changes).length === 0) throw usage('plan set: pass at least one value to change');
  const plan = await withDatabase(loadConfig(process.env), async (db) => {
    const request = { changes, reason: 'quittance plan set', requestId: newId('req') };
    await changePlanAsOperator({ db, clock: systemClock }, { userId: commandAuthor().who }, options.tier, request);
    return getPlan({ db }, options.tier);
  });
  printResult(options.json, planJson(plan), () => plansText([plan]));
}

// Helpers

/** A plan as JSON for the operator. */
function planJson(plan: Plan) {
  return {
    tier: plan.tier,
    monthly_price_usd: toUsd(plan.monthlyPriceCents),
    yearly_price_usd: toUsd(plan.yearlyPriceCents),
    monthly_transaction_limit: plan.monthlyTransactionLimit,
    webhook_limit: plan.webhookLimit,
    ip_whitelist: plan.ipWhitelist,
    create_detailed: plan.createDetailed,
    api_rate_limit_per_minute: plan.apiRateLimitPerMinute,
    api_rate_limit_per_hour: plan.apiRateLimitPerHour,
  };
}

/** One row for each plan, with the values as `plan set` accepts them. */
function plansText(plans: readonly Plan[]): string {
  return tableText(
    HEADINGS,
    plans.map((plan) => [
      plan.tier,
      String(toUsd(plan.monthlyPriceCents) ?? 'custom'),
      String(toUsd(plan.yearlyPriceCents) ?? 'custom'),
      String(plan.monthlyTransactionLimit ?? 'unlimited'),
      String(plan.webhookLimit ?? 'unlimited'),
      yesOrNo(plan.ipWhitelist),
      yesOrNo(plan.createDetailed),
      String(plan.apiRateLimitPerMinute),
      String(plan.apiRateLimitPerHour),
    ]),
  );
}

const HEADINGS = [
  'TIER',
  'USD/MONTH',
  'USD/YEAR',
  'PAYMENTS/MONTH',
  'WEBHOOKS',
  'IP WHITELIST',
  'DETAILED',
  'REQUESTS/MIN',
  'REQUESTS/HOUR',
];

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

function changesOf(options: PlanValues['set']): Partial<Omit<Plan, 'tier'>> {
  const { monthly, yearly, payments, webhooks, detailed } = options;
  const { 'ip-whitelist': ipWhitelist, 'per-minute': perMinute, 'per-hour': perHour } = options;
  return {
    ...(monthly === null ? {} : { monthlyPriceCents: monthly.value }),
    ...(yearly === null ? {} : { yearlyPriceCents: yearly.value }),
    ...(payments === null ? {} : { monthlyTransactionLimit: payments.value }),
    ...(webhooks === null ? {} : { webhookLimit: webhooks.value }),
    ...(ipWhitelist === null ? {} : { ipWhitelist }),
    ...(detailed === null ? {} : { createDetailed: detailed }),
    ...(perMinute === null ? {} : { apiRateLimitPerMinute: perMinute }),
    ...(perHour === null ? {} : { apiRateLimitPerHour: perHour }),
  };
}
