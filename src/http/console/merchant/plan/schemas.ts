import { type Static, Type } from 'typebox';
import {
  type Choice,
  type Invoice,
  type InvoicePage,
  MAX_BILLING_MONTHS,
  type Offer,
  type Plan,
} from '../../../../billing/index.ts';
import { PLAN_TIERS } from '../../../../merchants/index.ts';
import { oneOf, whole } from '../../schema.ts';
import { CryptoSymbol, Mode } from '../schemas.ts';

/** The plan of a merchant, its usage, and its invoices. Months are in UTC. */

export type { ChoiceObstacle as PlanObstacle, PlanSales } from '../../../../billing/index.ts';
export type { PlanTier as PlanTierName } from '../../../../merchants/index.ts';

/** Limits of a tier. Null: no limit. */
export interface PlanTerms extends Pick<Plan, 'tier'> {
  /** Payments that may complete in a calendar month, without simulated ones. */
  readonly monthlyPayments: number | null;
  readonly webhookEndpoints: number | null;
  /** Whether secret keys can be restricted to addresses. */
  readonly allowsIpWhitelist: boolean;
  /** Whether payments can list items. */
  readonly allowsItems: boolean;
  readonly requestsPerMinute: number;
}

export interface PlanPrice {
  readonly months: number;
  /** For all months together. */
  readonly usd: string;
  /** When the plan would end if it were paid now; null when it cannot be bought. */
  readonly endsAt: number | null;
}

export interface PlanChoice extends Pick<Choice, 'obstacle'> {
  readonly terms: PlanTerms;
  readonly purchase: Choice['purchaseType'];
  readonly prices: readonly PlanPrice[];
}

/** `used` counts the completed payments of this month, without simulated ones. */
export interface PlanInfo extends Omit<Offer, 'held' | 'choices'> {
  /** `cycle` is null when the plan was assigned. */
  readonly held: Pick<Offer['held'], 'cycle' | 'graceEndsAt' | 'condition'> & {
    readonly terms: PlanTerms;
    /** Null: no end date. */
    readonly endsAt: number | null;
  };
  readonly choices: readonly PlanChoice[];
}

/** The service chooses the coin when it is omitted. */
export const PlanCheckoutBody = Type.Object({
  mode: Mode,
  tier: oneOf(PLAN_TIERS),
  billingMonths: whole(1, MAX_BILLING_MONTHS),
  crypto: Type.Optional(CryptoSymbol),
});
export type PlanCheckoutBody = Static<typeof PlanCheckoutBody>;

export interface PlanCheckout {
  readonly paymentId: string;
  readonly paymentUrl: string;
}

export interface InvoiceInfo extends Invoice {
  readonly paymentUrl: string;
}

/** Newest first. */
export interface InvoiceList extends Omit<InvoicePage, 'invoices'> {
  readonly invoices: readonly InvoiceInfo[];
}
