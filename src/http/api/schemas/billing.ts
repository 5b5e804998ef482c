import { Type } from 'typebox';
import { CRYPTO_SYMBOLS } from '../../../../machines/index.ts';
import { MAX_BILLING_MONTHS } from '../../../billing/index.ts';
import { PLAN_TIERS } from '../../../merchants/index.ts';
import { CryptoSymbol, FiatCurrency, NullableTimestamp, Timestamp, TransactionStatus } from './primitives.ts';
import { nullable, oneOf, ref } from './ref.ts';
import { Pagination } from './transaction-list.ts';

export const PlanTierName = oneOf(PLAN_TIERS, { $id: 'PlanTier', description: 'A plan, the lowest first.' });

const NullablePrice = (what: string) =>
  nullable<number>('number', {
    format: 'double',
    description: `${what} in USD; null where the price is agreed in person.`,
  });
const NullableCount = (what: string) => nullable<number>('integer', { description: `${what}; null for no limit.` });
const RatePerMinute = Type.Integer({ description: 'Requests a minute that each key may send.' });
const RatePerHour = Type.Integer({ description: 'Requests an hour that each key may send.' });
const WebhookSupport = Type.Boolean({ description: 'Whether events are sent to endpoints.' });
const OverageCost = Type.Integer({ minimum: 0, maximum: 0, description: 'Always 0: the limit is hard.' });

export const Plan = Type.Object(
  {
    tier: ref(PlanTierName),
    monthly_price_usd: NullablePrice('A month'),
    yearly_price_usd: NullablePrice('Twelve months'),
    monthly_transaction_limit: NullableCount('Completed live payments a calendar month (UTC)'),
    overage_cost_per_tx: OverageCost,
    webhook_support: WebhookSupport,
    webhook_limit: NullableCount('Webhook endpoints'),
    ip_whitelist: Type.Boolean({ description: 'Whether secret keys can be tied to addresses.' }),
    api_rate_limit_per_minute: RatePerMinute,
    api_rate_limit_per_hour: RatePerHour,
    custom_pricing: Type.Boolean({ description: 'Whether the price is agreed individually.' }),
  },
  { $id: 'Plan', description: 'What a tier costs and allows.' },
);

export const PlanListEnvelope = Type.Object(
  { success: Type.Literal(true), data: Type.Array(ref(Plan)) },
  { $id: 'PlanListEnvelope', description: 'All plans, the lowest first.' },
);

export const Account = Type.Object(
  {
    plan: Type.Object({
      tier: ref(PlanTierName),
      billing_cycle: Type.Unsafe<'monthly' | 'yearly' | null>({
        type: ['string', 'null'],
        enum: ['monthly', 'yearly', null],
        description: 'How it was bought; null when the operator gave it.',
      }),
      auto_renewal: Type.Boolean({ description: 'Always false: coins cannot be drawn from a customer.' }),
      expires_at: NullableTimestamp('When it ends; null when it does not. It goes on for 7 days after that.'),
    }),
    usage: Type.Object({
      monthly_transactions_used: Type.Integer({
        description: 'Live payments that completed in this calendar month (UTC).',
      }),
      monthly_transaction_limit: NullableCount('What the plan allows of them'),
      overage_cost_per_tx: OverageCost,
    }),
    limits: Type.Object({
      api_rate_limit_per_minute: RatePerMinute,
      api_rate_limit_per_hour: RatePerHour,
      webhook_support: WebhookSupport,
    }),
  },
  { $id: 'Account', description: 'Your plan, and what is used of it.' },
);

export const AccountEnvelope = Type.Object(
  { success: Type.Literal(true), data: ref(Account) },
  { $id: 'AccountEnvelope', description: 'The account.' },
);

export const Invoice = Type.Object(
  {
    transaction_id: Type.String({ description: 'The payment; its page is `{checkout_url}/transaction/<id>`.' }),
    purchase_type: oneOf(['plan_upgrade', 'plan_renewal'], {
      description: 'The purchase of another plan, or of more months of the same one.',
    }),
    amount_fiat: Type.Number({ format: 'double', description: 'The price, in `currency_fiat`.' }),
    currency_fiat: ref(FiatCurrency),
    status: ref(TransactionStatus),
    crypto_symbol: ref(CryptoSymbol),
    created_at: Timestamp('When the payment window opened.'),
    confirmed_at: NullableTimestamp('When it was paid; null before.'),
    expires_at: Timestamp('When the payment window closes.'),
  },
  { $id: 'Invoice', description: 'What you pay, or did not pay, for a plan.' },
);

export const InvoiceListEnvelope = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Object({ invoices: Type.Array(ref(Invoice)), pagination: ref(Pagination) }),
  },
  { $id: 'InvoiceListEnvelope', description: 'A page of invoices, newest first.' },
);

export const DEFAULT_BILLING_MONTHS = 1;

export const BillingCheckoutBody = Type.Object(
  {
    tier: oneOf(PLAN_TIERS, { description: 'The plan to buy: a higher one than yours, or yours again.' }),
    billing_months: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_BILLING_MONTHS,
        default: DEFAULT_BILLING_MONTHS,
        description: 'For how long. Every 12 of them cost the yearly price.',
      }),
    ),
    payment_method: Type.Optional(oneOf(['crypto'], { default: 'crypto', description: 'There is no other.' })),
    crypto: Type.Optional(
      oneOf(CRYPTO_SYMBOLS, { description: 'What to pay with. Default: the first coin the operator takes.' }),
    ),
  },
  { additionalProperties: false },
);
