import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
  type Choice,
  checkout,
  getOffer,
  type InvoiceView,
  listInvoices,
  MAX_BILLING_MONTHS,
  type Offer,
  type Plan,
} from '../../../../billing/index.ts';
import { actFor } from '../../../../merchants/index.ts';
import { paymentUrl } from '../../../../payments/index.ts';
import { dataOf, whole } from '../../schema.ts';
import { requireRole } from '../../session/guard.ts';
import type { MerchantDeps } from '../deps.ts';
import { askerOf, memberOf } from '../member.ts';
import { Mode, OfMode } from '../schemas.ts';
import { type InvoiceInfo, InvoiceList, PlanCheckout, PlanCheckoutBody, PlanInfo } from './schemas.ts';

const INVOICES = 25;

const CheckoutBody = Type.Object({
  ...PlanCheckoutBody.properties,
  billingMonths: whole(1, MAX_BILLING_MONTHS),
});
const InvoicesQuery = Type.Object({
  mode: Mode,
  limit: Type.Optional(whole(1, 100)),
  /** Above any offset that a user pages to. */
  offset: Type.Optional(whole(0, 100_000)),
});

type PlanDeps = Pick<MerchantDeps, 'create' | 'clock' | 'plansEnabled' | 'operatorMerchant'>;

/**
 * The plan of a merchant and its invoices; only owners can buy. Purchases are made in the
 * merchant's name, without an API key.
 */
export const planRoutes: FastifyPluginAsyncTypebox<PlanDeps> = async (app, deps) => {
  const { create, clock, plansEnabled, operatorMerchant } = deps;
  const billing = { ...create, clock, plansEnabled, operatorMerchant };

  const reading = { querystring: OfMode, response: { 200: dataOf(PlanInfo) } };
  app.get('/plan', { schema: reading }, async (request) => {
    const { merchantId } = memberOf(request);
    return { data: toPlanInfo(await getOffer(billing, { merchantId, ...request.query })) };
  });

  const listing = { querystring: InvoicesQuery, response: { 200: dataOf(InvoiceList) } };
  app.get('/plan/invoices', { schema: listing }, async (request) => {
    const { mode, limit = INVOICES, offset = 0 } = request.query;
    const { merchantId } = memberOf(request);
    const { invoices, pagination } = await listInvoices(create, { merchantId, mode }, { limit, offset });
    const shown = invoices.map((invoice) => toInvoice(invoice, create.publicUrl));
    return { data: { invoices: shown, total: pagination.total } };
  });

  const buying = { body: CheckoutBody, response: { 201: dataOf(PlanCheckout) } };
  app.post('/plan/checkout', { onRequest: requireRole('owner'), schema: buying }, async (request, reply) => {
    const { mode, ...order } = request.body;
    const member = memberOf(request);
    const caller = await actFor(create.db, { merchantId: member.merchantId, mode });
    const payment = await checkout(billing, caller, { crypto: null, ...order, asker: askerOf(deps, member) });
    return reply.code(201).send({ data: { paymentId: payment.transaction_id, paymentUrl: payment.payment_url } });
  });
};

// Helpers

function toPlanInfo({ held, choices, ...offer }: Offer): PlanInfo {
  return {
    ...offer,
    held: {
      terms: toTerms(held.plan),
      cycle: held.cycle,
      endsAt: held.expiresAt,
      graceEndsAt: held.graceEndsAt,
      condition: held.condition,
    },
    choices: choices.map(toChoice),
  };
}

function toChoice({ plan, purchaseType, obstacle, terms }: Choice): PlanInfo['choices'][number] {
  return {
    terms: toTerms(plan),
    purchase: purchaseType,
    obstacle,
    prices: terms.map(({ months, priceCents, endsAt }) => ({ months, usd: dollars(priceCents), endsAt })),
  };
}

function toTerms(plan: Plan): PlanInfo['held']['terms'] {
  return {
    tier: plan.tier,
    monthlyPayments: plan.monthlyTransactionLimit,
    webhookEndpoints: plan.webhookLimit,
    allowsIpWhitelist: plan.ipWhitelist,
    allowsItems: plan.createDetailed,
    requestsPerMinute: plan.apiRateLimitPerMinute,
  };
}

function toInvoice(invoice: InvoiceView, publicUrl: string): InvoiceInfo {
  return {
    id: invoice.transaction_id,
    purchase: invoice.purchase_type,
    amount: String(invoice.amount_fiat),
    currency: invoice.currency_fiat,
    crypto: invoice.crypto_symbol,
    status: invoice.status,
    createdAt: Date.parse(invoice.created_at),
    paidAt: invoice.confirmed_at === null ? null : Date.parse(invoice.confirmed_at),
    expiresAt: Date.parse(invoice.expires_at),
    paymentUrl: paymentUrl(publicUrl, invoice.transaction_id),
  };
}

/** Whole cents as exact decimal text: 4900 becomes `49.00`. */
function dollars(cents: number): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
