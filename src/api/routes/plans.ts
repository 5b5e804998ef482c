import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { type BillingDeps, listPlans, type Plan as PlanOfBilling, supportsWebhooks } from '../../billing/index.ts';
import { type Plan, PlanListEnvelope } from '../schemas/billing.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/ref.ts';

export const plansRoute: FastifyPluginAsyncTypebox<Pick<BillingDeps, 'db' | 'plansEnabled'>> = async (app, deps) => {
  app.get(
    '/plans',
    {
      schema: {
        operationId: 'listPlans',
        summary: 'List the plans',
        description: 'What each tier costs and allows, the lowest first.',
        tags: ['Account'],
        response: { 200: ref(PlanListEnvelope), ...failures() },
      },
    },
    async (_request, reply) => reply.send({ success: true, data: (await listPlans(deps)).map(toPlan) }),
  );
};

// Helpers

function toPlan(plan: PlanOfBilling): Static<typeof Plan> {
  return {
    tier: plan.tier,
    monthly_price_usd: toUsd(plan.monthlyPriceCents),
    yearly_price_usd: toUsd(plan.yearlyPriceCents),
    monthly_transaction_limit: plan.monthlyTransactionLimit,
    overage_cost_per_tx: 0,
    webhook_support: supportsWebhooks(plan),
    webhook_limit: plan.webhookLimit,
    ip_whitelist: plan.ipWhitelist,
    api_rate_limit_per_minute: plan.apiRateLimitPerMinute,
    api_rate_limit_per_hour: plan.apiRateLimitPerHour,
    custom_pricing: plan.monthlyPriceCents === null,
  };
}

function toUsd(cents: number | null): number | null {
  return cents === null ? null : cents / 100;
}
