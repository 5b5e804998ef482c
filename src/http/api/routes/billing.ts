import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import {
  type BillingDeps,
  checkout,
  type Invoice as InvoiceOfBilling,
  listInvoices,
  listPlans,
  type Plan as PlanOfBilling,
  supportsWebhooks,
  toUsd,
} from '../../../billing/index.ts';
import { isoTime, isoTimeOrNull } from '../../../platform/iso-time.ts';
import { callerOf } from '../plugins/require-secret-key.ts';
import {
  BillingCheckoutBody,
  DEFAULT_BILLING_MONTHS,
  type Invoice,
  InvoiceListEnvelope,
  type Plan,
  PlanListEnvelope,
} from '../schemas/billing.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/primitives.ts';
import { TransactionEnvelope } from '../schemas/transaction.ts';
import { DEFAULT_PAGE_SIZE, ListTransactionsQuery } from '../schemas/transaction-list.ts';

const { limit, offset } = ListTransactionsQuery.properties;
const ListInvoicesQuery = Type.Object({ limit, offset }, { additionalProperties: false });

export const billingRoutes: FastifyPluginAsyncTypebox<BillingDeps> = async (app, deps) => {
  app.get(
    '/plans',
    {
      schema: {
        operationId: 'listPlans',
        summary: 'List the plans',
        description: 'Prices and limits of each tier, lowest first.',
        tags: ['Account'],
        response: { 200: ref(PlanListEnvelope), ...failures() },
      },
    },
    async (_request, reply) => reply.send({ success: true, data: (await listPlans(deps)).map(toPlan) }),
  );

  app.get(
    '/invoices',
    {
      schema: {
        operationId: 'listInvoices',
        summary: 'List your invoices',
        description: 'Your payments for plans in the mode of your key, newest first. `status` is that of the payment.',
        tags: ['Account'],
        querystring: ListInvoicesQuery,
        response: { 200: ref(InvoiceListEnvelope), ...failures() },
      },
    },
    async (request, reply) => {
      const { limit = DEFAULT_PAGE_SIZE, offset = 0 } = request.query;
      const { invoices, total } = await listInvoices(deps, callerOf(request), { limit, offset });
      const data = { invoices: invoices.map(toInvoice), pagination: { limit, offset, total } };
      return reply.send({ success: true, data });
    },
  );

  app.post(
    '/billing/checkout',
    {
      schema: {
        operationId: 'createBillingCheckout',
        summary: 'Buy a plan',
        description:
          'Starts a payment to the operator of this service; pay it at its `payment_url`. With a live key, the plan is assigned when the payment completes. With a test key, no real money is paid and no plan changes. The payment belongs to the operator: follow it on its page and with GET /invoices.',
        tags: ['Billing'],
        body: BillingCheckoutBody,
        response: {
          201: ref(TransactionEnvelope, { description: 'The payment, of type billing.' }),
          ...failures(
            'INVALID_CRYPTO',
            'AMOUNT_TOO_LOW',
            'WALLET_NOT_CONFIGURED',
            'FORBIDDEN',
            'TOO_MANY_OPEN_PAYMENTS',
            'RATE_FETCH_FAILED',
            'ADDRESS_GENERATION_FAILED',
          ),
        },
      },
    },
    async (request, reply) => {
      const { tier, billing_months: billingMonths = DEFAULT_BILLING_MONTHS, crypto = null } = request.body;
      const transaction = await checkout(deps, callerOf(request), { tier, billingMonths, crypto });
      return reply.code(201).send({ success: true, data: transaction });
    },
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

function toInvoice(invoice: InvoiceOfBilling): Static<typeof Invoice> {
  return {
    transaction_id: invoice.id,
    purchase_type: invoice.purchase,
    amount_fiat: Number(invoice.amount),
    currency_fiat: invoice.currency,
    status: invoice.status,
    crypto_symbol: invoice.crypto,
    created_at: isoTime(invoice.createdAt),
    confirmed_at: isoTimeOrNull(invoice.paidAt),
    expires_at: isoTime(invoice.expiresAt),
  };
}
