import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
  type Choice,
  checkout,
  getOffer,
  listInvoices,
  type Offer,
  type Plan,
  toUsdText,
} from '../../../../billing/index.ts';
import { callerForMerchant } from '../../../../merchants/index.ts';
import { paymentUrl } from '../../../../payments/index.ts';
import { whole } from '../../schema.ts';
import { requireRole } from '../../session/guard.ts';
import type { MerchantDeps } from '../deps.ts';
import { authorOf, memberOf } from '../member.ts';
import { Mode, OfMode } from '../schemas.ts';
import {
  type InvoiceList,
  type PlanCheckout,
  PlanCheckoutBody,
  type PlanChoice,
  type PlanInfo,
  type PlanTerms,
} from './schemas.ts';

const INVOICES = 25;

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

  app.get('/plan', { schema: { querystring: OfMode } }, async (request) => {
    const { merchantId } = memberOf(request);
    return { data: toPlanInfo(await getOffer(billing, { merchantId, ...request.query })) };
  });

  app.get('/plan/invoices', { schema: { querystring: InvoicesQuery } }, async (request) => {
    const { mode, limit = INVOICES, offset = 0 } = request.query;
    const { merchantId } = memberOf(request);
    const { invoices, total } = await listInvoices(create, { merchantId, mode }, { limit, offset });
    const withUrls = invoices.map((invoice) => ({ ...invoice, paymentUrl: paymentUrl(create.publicUrl, invoice.id) }));
    return { data: { invoices: withUrls, total } satisfies InvoiceList };
  });

  const buying = { onRequest: requireRole('owner'), schema: { body: PlanCheckoutBody } };
  app.post('/plan/checkout', buying, async (request, reply) => {
    const { mode, ...order } = request.body;
    const member = memberOf(request);
    const caller = await callerForMerchant(create.db, { merchantId: member.merchantId, mode });
    const payment = await checkout(billing, caller, { crypto: null, ...order, author: authorOf(deps, member) });
    const data: PlanCheckout = { paymentId: payment.transaction_id, paymentUrl: payment.payment_url };
    return reply.code(201).send({ data });
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

function toChoice({ plan, purchaseType, obstacle, terms }: Choice): PlanChoice {
  return {
    terms: toTerms(plan),
    purchase: purchaseType,
    obstacle,
    prices: terms.map(({ months, priceCents, endsAt }) => ({ months, usd: toUsdText(priceCents), endsAt })),
  };
}

function toTerms(plan: Plan): PlanTerms {
  return {
    tier: plan.tier,
    monthlyPayments: plan.monthlyTransactionLimit,
    webhookEndpoints: plan.webhookLimit,
    allowsIpWhitelist: plan.ipWhitelist,
    allowsItems: plan.createDetailed,
    requestsPerMinute: plan.apiRateLimitPerMinute,
  };
}
