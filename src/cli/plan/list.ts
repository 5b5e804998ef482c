import { listPlans, type Plan, toUsd } from '../../billing/index.ts';
import { loadConfig } from '../../platform/config/index.ts';
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

/** A plan as JSON for the operator. */
export function planJson(plan: Plan) {
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
export function plansText(plans: readonly Plan[]): string {
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

// Helpers

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
