import { type Static, Type } from 'typebox';
import { list, nullable, oneOf } from '../../schema.ts';
import { CryptoSymbol, Mode, TransactionStatus } from '../schemas.ts';

/** The plan of a merchant, its usage, and its invoices. Months are in UTC. */
export const PlanTierName = oneOf(['starter', 'business', 'professional', 'enterprise']);
export type PlanTierName = Static<typeof PlanTierName>;

/** Price and limits of a tier. Null: no limit. */
export const PlanTerms = Type.Object({
  tier: PlanTierName,
  /** Live payments that may complete in a calendar month. */
  monthlyPayments: nullable(Type.Number()),
  webhookEndpoints: nullable(Type.Number()),
  /** Whether secret keys can be restricted to addresses. */
  allowsIpWhitelist: Type.Boolean(),
  /** Whether payments can list items. */
  allowsItems: Type.Boolean(),
  requestsPerMinute: Type.Number(),
});
export type PlanTerms = Static<typeof PlanTerms>;

const PlanConditionName = oneOf(['running', 'in_grace', 'lapsed']);

export const PlanShop = oneOf(['open', 'without_plans', 'no_recipient', 'is_operator']);
export type PlanShop = Static<typeof PlanShop>;

export const PlanObstacle = oneOf(['never_ends', 'lower_than_held', 'agreed_in_person', 'costs_nothing']);
export type PlanObstacle = Static<typeof PlanObstacle>;

export const PlanPrice = Type.Object({
  months: Type.Number(),
  /** For all months together. */
  usd: Type.String(),
  /** When the plan would end if it were paid now; null when it cannot be bought. */
  endsAt: nullable(Type.Number()),
});
export type PlanPrice = Static<typeof PlanPrice>;

export const PlanChoice = Type.Object({
  terms: PlanTerms,
  purchase: nullable(oneOf(['plan_upgrade', 'plan_renewal'])),
  /** Why it cannot be bought. */
  obstacle: nullable(PlanObstacle),
  prices: list(PlanPrice),
});
export type PlanChoice = Static<typeof PlanChoice>;

export const PlanInfo = Type.Object({
  held: Type.Object({
    terms: PlanTerms,
    /** Billing cycle; null when the plan was given. */
    cycle: nullable(oneOf(['monthly', 'yearly'])),
    /** Null: no end date. */
    endsAt: nullable(Type.Number()),
    /** After this, no new payments can be started; null for a plan without an end date. */
    graceEndsAt: nullable(Type.Number()),
    condition: PlanConditionName,
  }),
  /** Completed live payments of this month. */
  used: Type.Number(),
  /**
   * Payments allowed this month, which can be slightly more than the plan's limit; null without
   * limit.
   */
  allowance: nullable(Type.Number()),
  resetsAt: Type.Number(),
  shop: PlanShop,
  /** Lowest first; empty when no plan is on sale. */
  choices: list(PlanChoice),
  /** Coins that plans can be paid in now. */
  payableIn: list(CryptoSymbol),
});
export type PlanInfo = Static<typeof PlanInfo>;

/** The service chooses the coin when it is omitted. */
export const PlanCheckoutBody = Type.Object({
  mode: Mode,
  tier: PlanTierName,
  billingMonths: Type.Integer(),
  crypto: Type.Optional(CryptoSymbol),
});
export type PlanCheckoutBody = Static<typeof PlanCheckoutBody>;

export const PlanCheckout = Type.Object({
  paymentId: Type.String(),
  paymentUrl: Type.String(),
});
export type PlanCheckout = Static<typeof PlanCheckout>;

export const InvoiceInfo = Type.Object({
  id: Type.String(),
  purchase: oneOf(['plan_upgrade', 'plan_renewal']),
  amount: Type.String(),
  currency: Type.String(),
  crypto: CryptoSymbol,
  /** The status of the payment. */
  status: TransactionStatus,
  createdAt: Type.Number(),
  /** Null until it is paid. */
  paidAt: nullable(Type.Number()),
  /** When the payment window ends. */
  expiresAt: Type.Number(),
  paymentUrl: Type.String(),
});
export type InvoiceInfo = Static<typeof InvoiceInfo>;

/** Newest first. */
export const InvoiceList = Type.Object({
  invoices: list(InvoiceInfo),
  total: Type.Number(),
});
export type InvoiceList = Static<typeof InvoiceList>;
