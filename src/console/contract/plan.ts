import type { CryptoSymbol, TransactionStatus } from '../../../machines/index.ts';
import type { Mode } from './desk.ts';

/** The plan of a merchant, its usage, and its invoices. Months are in UTC. */

export type PlanTierName = 'starter' | 'business' | 'professional' | 'enterprise';

/** Price and limits of a tier. Null: no limit. */
export interface PlanTerms {
  readonly tier: PlanTierName;
  /** Live payments that may complete in a calendar month. */
  readonly monthlyPayments: number | null;
  readonly webhookEndpoints: number | null;
  /** Whether secret keys can be restricted to addresses. */
  readonly allowsIpWhitelist: boolean;
  /** Whether payments can list items. */
  readonly allowsItems: boolean;
  readonly requestsPerMinute: number;
}

/** Response of GET /console/api/merchant/plan?mode=. */
export interface PlanInfo {
  readonly held: {
    readonly terms: PlanTerms;
    /** Billing cycle; null when the plan was given. */
    readonly cycle: 'monthly' | 'yearly' | null;
    /** Null: no end date. */
    readonly endsAt: number | null;
    /** After this, no new payments can be started; null for a plan without an end date. */
    readonly graceEndsAt: number | null;
    readonly condition: PlanConditionName;
  };
  /** Completed live payments of this month. */
  readonly used: number;
  /**
   * Payments allowed this month, which can be slightly more than the plan's limit; null without
   * limit.
   */
  readonly allowance: number | null;
  readonly resetsAt: number;
  readonly shop: PlanShop;
  /** Lowest first; empty when no plan is on sale. */
  readonly choices: readonly PlanChoice[];
  /** Coins that plans can be paid in now. */
  readonly payableIn: readonly CryptoSymbol[];
}

export type PlanConditionName = 'running' | 'in_grace' | 'lapsed';
export type PlanShop = 'open' | 'without_plans' | 'nobody_is_paid' | 'is_operator';
export type PlanObstacle = 'never_ends' | 'lower_than_held' | 'agreed_in_person' | 'costs_nothing';

export interface PlanChoice {
  readonly terms: PlanTerms;
  readonly purchase: 'plan_upgrade' | 'plan_renewal' | null;
  /** Why it cannot be bought. */
  readonly obstacle: PlanObstacle | null;
  readonly prices: readonly PlanPrice[];
}

export interface PlanPrice {
  readonly months: number;
  /** For all months together. */
  readonly usd: string;
  /** When the plan would end if it were paid now; null when it cannot be bought. */
  readonly endsAt: number | null;
}

/** POST /console/api/merchant/plan/checkout. The service chooses the coin when it is omitted. */
export interface PlanCheckoutBody {
  readonly mode: Mode;
  readonly tier: PlanTierName;
  readonly billingMonths: number;
  readonly crypto?: CryptoSymbol;
}

/** Response of POST /console/api/merchant/plan/checkout, 201. */
export interface PlanCheckout {
  readonly paymentId: string;
  readonly paymentUrl: string;
}

/** GET /console/api/merchant/plan/invoices?mode=&limit=&offset=: newest first. */
export interface InvoiceList {
  readonly invoices: readonly InvoiceInfo[];
  readonly total: number;
}

export interface InvoiceInfo {
  readonly id: string;
  readonly purchase: 'plan_upgrade' | 'plan_renewal';
  readonly amount: string;
  readonly currency: string;
  readonly crypto: CryptoSymbol;
  /** The status of the payment. */
  readonly status: TransactionStatus;
  readonly createdAt: number;
  /** Null until it is paid. */
  readonly paidAt: number | null;
  /** When the payment window ends. */
  readonly expiresAt: number;
  readonly paymentUrl: string;
}
