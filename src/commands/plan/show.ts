import type { Plan } from '../../billing/index.ts';
import { tableText } from '../print.ts';

/** How a plan is shown to whoever runs the service. */

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

/** A row for each plan, its numbers as `plan set` takes them. */
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

function toUsd(cents: number | null): number | null {
  return cents === null ? null : cents / 100;
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
