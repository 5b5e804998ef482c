import type { CryptoSymbol, TransactionStatus } from '../../../machines/index.ts';
import type { Mode } from './desk.ts';

/** The plan of a merchant, what is used of it, and what was paid for it. Months are those of UTC. */

export type PlanTierName = 'starter' | 'business' | 'professional' | 'enterprise';

/** What a tier costs and allows. Null: without bound. */
export interface PlanTerms {
  readonly tier: PlanTierName;
  /** Live payments that may complete in a calendar month. */
  readonly monthlyPayments: number | null;
  readonly webhookEndpoints: number | null;
  /** Whether secret keys can be tied to addresses. */
  readonly allowsIpWhitelist: boolean;
  /** Whether payments can list what was bought. */
  readonly allowsItems: boolean;
  readonly requestsPerMinute: number;
}

/** Answer of GET /console/api/merchant/plan?mode=. */
export interface PlanInfo {
  readonly held: {
    readonly terms: PlanTerms;
    /** How it was bought; null when it was given. */
    readonly cycle: 'monthly' | 'yearly' | null;
    /** Null: it does not end. */
    readonly endsAt: number | null;
    /** From then on nothing new can be started; null for a plan that does not end. */
    readonly graceEndsAt: number | null;
    readonly condition: PlanConditionName;
  };
  /** Completed live payments of this month. */
  readonly used: number;
  /** As many as are let through this month, which can be a few more than the plan says; null without bound. */
  readonly allowance: number | null;
  readonly resetsAt: number;
  readonly shop: PlanShop;
  /** The lowest first; none where nothing is sold. */
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
  /** For all of the months. */
  readonly usd: string;
  /** When the plan would end if it were paid now; null when it cannot be bought. */
  readonly endsAt: number | null;
}

/** POST /console/api/merchant/plan/checkout. The coin is chosen by the service when it is left out. */
export interface PlanCheckoutBody {
  readonly mode: Mode;
  readonly tier: PlanTierName;
  readonly billingMonths: number;
  readonly crypto?: CryptoSymbol;
}

/** Answer of POST /console/api/merchant/plan/checkout, 201. */
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
  /** That of the payment. */
  readonly status: TransactionStatus;
  readonly createdAt: number;
  /** Null until it is paid. */
  readonly paidAt: number | null;
  /** When the time to pay runs out. */
  readonly expiresAt: number;
  readonly paymentUrl: string;
}
