import {
  type Choice,
  checkout,
  getOffer,
  type InvoiceView,
  listInvoices,
  type Offer,
  type Plan,
} from '../../../billing/index.ts';
import type { PlanDesk } from '../../../console/index.ts';
import { actFor } from '../../../merchants/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import { paymentUrl } from '../../../payments/index.ts';
import { askerOf } from './change-as.ts';
import type { DeskDeps } from './deps.ts';

/** The plan of a merchant. Purchases are made in the merchant's name, without an API key. */
export function bindPlan(deps: DeskDeps, { watch }: Pick<OutageNotice, 'watch'>): PlanDesk {
  const { create } = deps;
  return {
    read: ({ merchantId }, mode) =>
      watch(async () => toPlanInfo(await getOffer({ ...create, ...deps }, { merchantId, mode }))),
    listInvoices: ({ merchantId }, { mode, ...page }) =>
      watch(async () => {
        const { invoices, pagination } = await listInvoices(create, { merchantId, mode }, page);
        return { invoices: invoices.map((invoice) => toInvoice(invoice, create.publicUrl)), total: pagination.total };
      }),
    checkout: (member, { mode, tier, billingMonths, crypto = null }) =>
      watch(async () => {
        const caller = await actFor(create.db, { merchantId: member.merchantId, mode });
        const asker = askerOf(deps, member);
        const payment = await checkout({ ...create, ...deps }, caller, { tier, billingMonths, crypto, asker });
        return { paymentId: payment.transaction_id, paymentUrl: payment.payment_url };
      }),
  };
}

// Helpers

type PlanInfo = Awaited<ReturnType<PlanDesk['read']>>;
type InvoiceInfo = Awaited<ReturnType<PlanDesk['listInvoices']>>['invoices'][number];

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
