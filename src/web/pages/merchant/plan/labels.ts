import type {
  PlanObstacle,
  PlanSales,
  PlanTerms,
  PlanTierName,
} from '../../../../http/console/merchant/plan/schemas.ts';
import { countText } from '../../../ui/values/word-text.ts';

/** Labels about plans for shop owners. */

export const TIER_NAMES: Readonly<Record<PlanTierName, string>> = {
  starter: 'Starter',
  business: 'Business',
  professional: 'Professional',
  enterprise: 'Enterprise',
};

/** Why a plan cannot be bought, and what to do about it. */
export const OBSTACLE_WORDS: Readonly<Record<PlanObstacle, string>> = {
  never_ends: 'You have this plan, and it does not expire.',
  lower_than_held: 'Smaller than your plan. Available once your current plan has ended.',
  agreed_in_person: 'Contact the operator of this service for a price.',
  costs_nothing: 'Free. Ask the operator of this service for it.',
};

/** Why no plan can be bought. */
export const SALES_STATUS_LABELS: Readonly<Record<Exclude<PlanSales, 'open'>, string>> = {
  without_plans: 'This service has no plans and no limit on payments.',
  no_recipient: 'Plans cannot be bought here. To change your plan, contact the operator of this service.',
  is_operator:
    'Plans are paid to this account. The operator of this service sets its own plan with the command "quittance merchant plan".',
};

export const PURCHASE_WORDS = { plan_upgrade: 'New plan', plan_renewal: 'Renewal' } as const;

/** A plan's terms, in the same order for all, so that plans can be compared row by row. */
export function termsOf(terms: PlanTerms): readonly (readonly [name: string, value: string])[] {
  return [
    ['Paid payments a month', limitText(terms.monthlyPayments)],
    ['Webhook endpoints', terms.webhookEndpoints === 0 ? 'none' : limitText(terms.webhookEndpoints)],
    ['Payments with items', terms.allowsItems ? 'yes' : 'no'],
    ['API keys limited to IP addresses', terms.allowsIpWhitelist ? 'yes' : 'no'],
    ['API requests a minute', terms.requestsPerMinute.toLocaleString('en')],
  ];
}

/** `1 month`, `12 months`. */
export function monthsText(months: number): string {
  return countText(months, 'month');
}

// Helpers

function limitText(count: number | null): string {
  return count === null ? 'unlimited' : count.toLocaleString('en');
}
