import { Type } from 'typebox';
import { CRYPTO_SYMBOLS } from '../../../../machines/index.ts';
import { MAX_BILLING_MONTHS } from '../../../billing/index.ts';
import { PLAN_TIERS } from '../../../merchants/index.ts';
import {
  CryptoSymbol,
  FiatCurrency,
  NullableTimestamp,
  nullable,
  oneOf,
  ref,
  Timestamp,
  TransactionStatus,
} from './primitives.ts';
import { Pagination } from './transaction-list.ts';

export const PlanTierName = oneOf(PLAN_TIERS, { $id: 'PlanTier', description: 'A plan, lowest first.' });

const NullablePrice = (what: string) =>
  nullable<number>('number', {
    format: 'double',
    description: `${what} in USD; null if the price is agreed individually.`,
  });
const NullableCount = (what: string) => nullable<number>('integer', { description: `${what}; null for no limit.` });
const RatePerMinute = Type.Integer({ description: 'Requests per minute for each key.' });
const RatePerHour = Type.Integer({ description: 'Requests per hour for each key.' });
const WebhookSupport = Type.Boolean({ description: 'Whether webhooks are available.' });
const OverageCost = Type.Integer({ minimum: 0, maximum: 0, description: 'Always 0: the limit is hard.' });

export const Plan = Type.Object(
  {
    tier: ref(PlanTierName),
    monthly_price_usd: NullablePrice('A month'),
    yearly_price_usd: NullablePrice('Twelve months'),
    monthly_transaction_limit: NullableCount('Completed payments per calendar month (UTC), without simulated ones'),
    overage_cost_per_tx: OverageCost,
    webhook_support: WebhookSupport,
    webhook_limit: NullableCount('Webhook endpoints'),
    ip_whitelist: Type.Boolean({ description: 'Whether secret keys can be restricted to IP addresses.' }),
    api_rate_limit_per_minute: RatePerMinute,
    api_rate_limit_per_hour: RatePerHour,
    custom_pricing: Type.Boolean({ description: 'Whether the price is agreed individually.' }),
  },
  { $id: 'Plan', description: 'Prices and limits of a tier.' },
);

export const PlanListEnvelope = Type.Object(
  { success: Type.Literal(true), data: Type.Array(ref(Plan)) },
  { $id: 'PlanListEnvelope', description: 'All plans, lowest first.' },
);

export const Account = Type.Object(
  {
    plan: Type.Object({
      tier: ref(PlanTierName),
      billing_cycle: Type.Unsafe<'monthly' | 'yearly' | null>({
        type: ['string', 'null'],
        enum: ['monthly', 'yearly', null],
        description: 'How it was bought; null if the operator assigned it.',
      }),
      auto_renewal: Type.Boolean({ description: 'Always false: coins cannot be debited from a wallet.' }),
      expires_at: NullableTimestamp('When it ends; null if it does not. It stays active for 7 more days.'),
    }),
    usage: Type.Object({
      monthly_transactions_used: Type.Integer({
        description: 'Payments that completed in this calendar month (UTC), without simulated ones.',
      }),
      monthly_transaction_limit: NullableCount('Limit of the plan'),
      overage_cost_per_tx: OverageCost,
    }),
    limits: Type.Object({
      api_rate_limit_per_minute: RatePerMinute,
      api_rate_limit_per_hour: RatePerHour,
      webhook_support: WebhookSupport,
    }),
  },
  { $id: 'Account', description: 'Your plan and its usage.' },
);

export const AccountEnvelope = Type.Object(
  { success: Type.Literal(true), data: ref(Account) },
  { $id: 'AccountEnvelope', description: 'The account.' },
);

export const Invoice = Type.Object(
  {
    transaction_id: Type.String({ description: 'The payment; its page is `{checkout_url}/transaction/<id>`.' }),
    purchase_type: oneOf(['plan_upgrade', 'plan_renewal'], {
      description: 'plan_upgrade: another plan. plan_renewal: more months of the same plan.',
    }),
    amount_fiat: Type.Number({ format: 'double', description: 'The price, in `currency_fiat`.' }),
    currency_fiat: ref(FiatCurrency),
    status: ref(TransactionStatus),
    crypto_symbol: ref(CryptoSymbol),
    created_at: Timestamp('When the payment window opened.'),
    confirmed_at: NullableTimestamp('When it was paid; null until then.'),
    expires_at: Timestamp('When the payment window closes.'),
  },
  { $id: 'Invoice', description: 'A payment for a plan, paid or not.' },
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
    tier: oneOf(PLAN_TIERS, { description: 'The plan to buy: your current plan or a higher one.' }),
    billing_months: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_BILLING_MONTHS,
        default: DEFAULT_BILLING_MONTHS,
        description: 'Number of months. Every 12 months cost the yearly price.',
      }),
    ),
    payment_method: Type.Optional(oneOf(['crypto'], { default: 'crypto', description: 'Only `crypto` is supported.' })),
    crypto: Type.Optional(
      oneOf(CRYPTO_SYMBOLS, { description: 'The coin to pay with. Default: the first coin the operator accepts.' }),
    ),
  },
  { additionalProperties: false },
);
