/**
 * Generated from the routes of the service; do not edit. After a route or schema has changed:
 * npm run openapi
 */

/** A coin or token. */
export type CryptoSymbol =
  | 'BTC'
  | 'LTC'
  | 'DOGE'
  | 'DASH'
  | 'ETH'
  | 'USDT'
  | 'USDC'
  | 'EURC'
  | 'DAI'
  | 'WBTC'
  | 'SHIB'
  | 'PEPE'
  | 'LINK'
  | 'UNI'
  | 'AAVE'
  | 'MKR';

/** A currency for prices. */
export type FiatCurrency = 'USD' | 'PLN' | 'EUR' | 'GBP';

/** Status of the transaction. */
export type TransactionStatus = 'pending' | 'awaiting_confirmation' | 'completed' | 'partial' | 'expired' | 'failed';

/** Why the payment awaits your decision. paid_late: coins arrived within 6 hours after the window closed; the status stays expired. needs_review: the balance of an ETH or ERC-20 address dropped and the payment is unknown; the status is pending. */
export type TransactionException = 'paid_late' | 'needs_review';

/** A line item. */
export interface LineItem {
  readonly name: string;
  readonly quantity: number;
  /** Unit price in `currency_fiat`. */
  readonly price: number;
}

/** One on-chain payment toward a transaction. */
export interface PaymentSplit {
  /** Hash of the on-chain transaction. Absent if the coins have no known transaction. */
  readonly txid?: string;
  /** Amount of the payment. In whole coins. */
  readonly amount_crypto: number;
  /** Number of confirmations, including its own block. 0 while it is in no block. */
  readonly confirmations: number;
  /** A replaced payment no longer counts. */
  readonly status: 'detected' | 'confirming' | 'confirmed' | 'replaced';
  /** When it was first seen. */
  readonly detected_at: string;
  /** When it reached the required confirmations; null until then. */
  readonly confirmed_at: string | null;
}

/** A requested payment, with all payments received toward it. */
export interface Transaction {
  readonly transaction_id: string;
  readonly status: TransactionStatus;
  readonly exception?: TransactionException;
  readonly type: 'basic' | 'detailed' | 'billing';
  readonly crypto: CryptoSymbol;
  /** The address to pay to; used for this transaction only. */
  readonly deposit_address: string;
  /** The amount due at the locked rate, rounded up. In whole coins. */
  readonly amount_crypto: number;
  /** The price, in `currency_fiat`. */
  readonly amount_fiat: number;
  /** The price in USD when the transaction was created. */
  readonly amount_usd: number;
  /** Amount received, including unconfirmed payments; after a further decision, without coins declined before. In whole coins. */
  readonly amount_paid: number;
  /** Amount still due; 0 if none. In whole coins. */
  readonly amount_remaining: number;
  readonly currency_fiat: FiatCurrency;
  /** USD per unit of `currency_fiat`, locked at creation. */
  readonly fiat_to_usd_rate: number;
  /** USD per whole coin, locked at creation. */
  readonly exchange_rate: number;
  /** Fixed at creation. */
  readonly confirmations_required: number;
  /** The hosted payment page for the customer. */
  readonly payment_url: string;
  /** Your own reference. */
  readonly order_id: string | null;
  /** As sent in the request, or as the customer entered it on the payment page for the receipt. */
  readonly customer_email: string | null;
  /** The line items of a detailed transaction; null for others. */
  readonly items: readonly LineItem[] | null;
  /** On-chain payments detected toward this transaction. */
  readonly payments: readonly PaymentSplit[];
  /** As sent in the request. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** As sent in the request. */
  readonly success_url: string | null;
  /** As sent in the request. */
  readonly cancel_url: string | null;
  /** When the payment window opened. */
  readonly created_at: string;
  /** When any of the fields above last changed. */
  readonly updated_at: string;
  /** When the payment window closes. */
  readonly expires_at: string;
  /** The same amounts as exact decimal strings, for languages whose numbers are floats. */
  readonly amounts: {
    /** `amount_crypto`. */
    readonly crypto: string;
    /** `amount_fiat`. */
    readonly fiat: string;
    /** `amount_usd`. */
    readonly usd: string;
    /** `amount_paid`. */
    readonly paid: string;
    /** `amount_remaining`. */
    readonly remaining: string;
  };
  /** Increases with every event that changes the transaction. A decision names the step it applies to. */
  readonly step: number;
}

/** The transaction. */
export interface TransactionEnvelope {
  readonly success: true;
  readonly data: Transaction;
}

/** Position of this page in the list. */
export interface Pagination {
  readonly limit: number;
  readonly offset: number;
  /** Total number of matches. */
  readonly total: number;
}

/** A page of transactions, newest first. */
export interface TransactionListEnvelope {
  readonly success: true;
  readonly data: {
    readonly transactions: readonly Transaction[];
    readonly pagination: Pagination;
  };
}

/** The body sent to your endpoint for events of a payment. */
export interface PaymentWebhook {
  /** Id of the event, the same on every attempt and for every endpoint. */
  readonly id: string;
  /** What happened. */
  readonly event:
    | 'payment.created'
    | 'payment.pending'
    | 'payment.completed'
    | 'payment.overpaid'
    | 'payment.partial'
    | 'payment.expired'
    | 'payment.failed'
    | 'payment.paid_late'
    | 'payment.needs_review';
  /** live, or test if it was created with a test key: test payments pay nothing. */
  readonly mode: 'live' | 'test';
  /** When it happened. */
  readonly timestamp: string;
  /** Sequence number among the events of this transaction: 1, 2, 3 … */
  readonly sequence: number;
  /** The transaction. */
  readonly transaction_id: string;
  readonly status: TransactionStatus;
  readonly exception?: TransactionException;
  readonly currency_crypto: CryptoSymbol;
  readonly currency_fiat: FiatCurrency;
  /** The price, in `currency_fiat`. A decimal. */
  readonly amount_fiat: string;
  /** The price in USD when the transaction was created. A decimal. */
  readonly amount_usd: string;
  /** The amount due, in whole coins; not the amount paid. A decimal. */
  readonly amount_crypto: string;
  /** Your own reference. */
  readonly order_id: string | null;
  /** The line items; only for a detailed transaction. */
  readonly items?: readonly {
    readonly name: string;
    readonly quantity: number;
    /** Unit price in `currency_fiat`. A decimal. */
    readonly price: string;
  }[];
  /** The payment page, which is the receipt; only in payment.completed and payment.overpaid. */
  readonly receipt_url?: string;
  /** As sent in the request. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** A URL to share, where customers pay. */
export interface PaymentLink {
  /** Name of the link, unique among your links of this mode. */
  readonly slug: string;
  /** The short URL to share. It contains no key. */
  readonly url: string;
  /** What is sold; shown to customers. */
  readonly title: string;
  /** Description shown to customers. */
  readonly description: string | null;
  /** The image shown to customers. */
  readonly image_url: string | null;
  /** The fixed price in `currency_fiat`; null if the customer chooses the amount. */
  readonly amount: number | null;
  /** The smallest amount a customer may choose. */
  readonly min_amount: number | null;
  /** The largest amount a customer may choose. */
  readonly max_amount: number | null;
  readonly currency_fiat: FiatCurrency;
  /** The coins to choose from; empty for all that you accept. */
  readonly cryptos: readonly CryptoSymbol[];
  /** Where the payment page links to after payment. */
  readonly success_url: string | null;
  /** Until when it opens payments; null for no expiry. */
  readonly expires_at: string | null;
  /** How often it can be paid; null for no limit. */
  readonly max_uses: number | null;
  /** Completed payments, at most `max_uses`. */
  readonly uses: number;
  /** Completed payments beyond `max_uses`, which were open when it was used up: fulfil or refund each. At most 20, oldest first. */
  readonly excess_transaction_ids: readonly string[];
  /** open: it opens payments. used_up: it was paid `max_uses` times. */
  readonly state: 'open' | 'used_up' | 'expired' | 'closed';
  /** When it was created. */
  readonly created_at: string;
  /** When you closed it; null if you did not. */
  readonly closed_at: string | null;
}

/** The payment link. */
export interface PaymentLinkEnvelope {
  readonly success: true;
  readonly data: PaymentLink;
}

/** A page of payment links, newest first. */
export interface PaymentLinkListEnvelope {
  readonly success: true;
  readonly data: {
    readonly links: readonly PaymentLink[];
    readonly pagination: Pagination;
  };
}

/** How often a payment is requested, counted from period 1 in UTC. If a month does not have the day, its last day is used. */
export type Interval = 'weekly' | 'monthly' | 'quarterly' | 'yearly';

/** pending_confirmation: the customer has not confirmed yet. active: payments are requested. paused: by you, until you resume it. The others have ended. cancelled: by you or after the last period. stopped_by_customer: by the customer. bounced: the mailbox does not exist. expired_unconfirmed: not confirmed in time. */
export type ScheduleStatus =
  | 'pending_confirmation'
  | 'active'
  | 'paused'
  | 'cancelled'
  | 'stopped_by_customer'
  | 'bounced'
  | 'expired_unconfirmed';

/** A payment that is requested from a customer regularly. */
export interface Schedule {
  /** Id of the recurring payment request. */
  readonly schedule_id: string;
  /** Your own reference. */
  readonly reference: string | null;
  /** Customer email address. */
  readonly customer_email: string;
  /** Shown to the customer in every email. */
  readonly description: string;
  /** Price of a period, in `currency_fiat`. */
  readonly amount_fiat: number;
  readonly currency_fiat: FiatCurrency;
  readonly interval: Interval;
  readonly status: ScheduleStatus;
  /** The coin to pay with; null if the customer chooses among those you accept. */
  readonly crypto:
    | 'BTC'
    | 'LTC'
    | 'DOGE'
    | 'DASH'
    | 'ETH'
    | 'USDT'
    | 'USDC'
    | 'EURC'
    | 'DAI'
    | 'WBTC'
    | 'SHIB'
    | 'PEPE'
    | 'LINK'
    | 'UNI'
    | 'AAVE'
    | 'MKR'
    | null;
  /** When period 1 is due, as requested; null if it is due on confirmation. */
  readonly start_at: string | null;
  /** Number of periods; null for no limit. */
  readonly max_periods: number | null;
  /** As sent in the request. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Where paid payment pages link to. */
  readonly success_url: string | null;
  /** Whether it was created with a test key. */
  readonly is_test: boolean;
  /** Number of confirmation emails sent. */
  readonly confirmations_sent: number;
  /** The newest period that was requested or skipped; 0 before the first. */
  readonly last_period_no: number;
  /** When the next payment is requested; null if none will be. */
  readonly next_due_at: string | null;
  /** When it was created. */
  readonly created_at: string;
  /** When the customer confirmed it; null until then. */
  readonly confirmed_at: string | null;
  /** When it ended; null until then. */
  readonly ended_at: string | null;
  /** Why it ended; null until then. finished: its last period has ended, and its status is cancelled. */
  readonly end_reason: 'cancelled' | 'finished' | 'stopped_by_customer' | 'bounced' | 'unconfirmed' | null;
}

/** The recurring payment request. */
export interface ScheduleEnvelope {
  readonly success: true;
  readonly data: Schedule;
}

/** A page of recurring payment requests, newest first. */
export interface ScheduleListEnvelope {
  readonly success: true;
  readonly data: {
    readonly schedules: readonly Schedule[];
    readonly pagination: Pagination;
  };
}

/** One period that was requested or skipped. */
export interface SchedulePeriod {
  /** Number of the period: 1, 2, 3 … */
  readonly period_no: number;
  /** awaited: requested and not paid yet. paid: paid. unpaid: not paid in time; its link stays open. skipped: never requested. */
  readonly status: 'awaited' | 'paid' | 'unpaid' | 'skipped';
  /** When it is due. */
  readonly due_at: string;
  /** When the payment was requested; null for a skipped period. */
  readonly requested_at: string | null;
  /** Number of reminders sent. */
  readonly reminders_sent: number;
  /** When it was paid or became unpaid; null until then. */
  readonly settled_at: string | null;
  /** The payment that paid it; null until then. */
  readonly transaction_id: string | null;
  /** The page linked in the email; null for a skipped period. */
  readonly payment_url: string | null;
  /** Payments opened for it, newest first. */
  readonly attempts: readonly string[];
  /** Completed payments in addition to the one that paid it: the customer has paid twice. */
  readonly excess_transaction_ids: readonly string[];
}

/** A page of periods, newest first. */
export interface SchedulePeriodListEnvelope {
  readonly success: true;
  readonly data: {
    readonly periods: readonly SchedulePeriod[];
    readonly pagination: Pagination;
  };
}

/** The body sent to your endpoint for events of a recurring payment request. */
export interface RecurringWebhook {
  /** Id of the event, the same on every attempt and for every endpoint. */
  readonly id: string;
  /** What happened. */
  readonly event:
    | 'recurring.confirmed'
    | 'recurring.payment.completed'
    | 'recurring.payment.unpaid'
    | 'recurring.stopped';
  /** live, or test if it was created with a test key: test payments pay nothing. */
  readonly mode: 'live' | 'test';
  /** When it happened. */
  readonly timestamp: string;
  /** Sequence number among the events of this request: 1, 2, 3 … */
  readonly sequence: number;
  /** The recurring payment request. */
  readonly schedule_id: string;
  /** Your own reference; only if you sent one. */
  readonly reference?: string;
  /** Customer email address. */
  readonly customer_email: string;
  /** What it is for. */
  readonly description: string;
  /** Price of a period, in `currency_fiat`. A decimal. */
  readonly amount_fiat: string;
  readonly currency_fiat: FiatCurrency;
  readonly interval: Interval;
  readonly status: ScheduleStatus;
  /** The period; only in recurring.payment.completed and …unpaid. */
  readonly period_no?: number;
  /** The transaction that paid the period; only in recurring.payment.completed. */
  readonly transaction_id?: string;
  /** Why it ended; only in recurring.stopped. */
  readonly reason?: 'stopped_by_customer' | 'bounced' | 'unconfirmed';
}

/** A plan, lowest first. */
export type PlanTier = 'starter' | 'business' | 'professional' | 'enterprise';

/** Prices and limits of a tier. */
export interface Plan {
  readonly tier: PlanTier;
  /** A month in USD; null if the price is agreed individually. */
  readonly monthly_price_usd: number | null;
  /** Twelve months in USD; null if the price is agreed individually. */
  readonly yearly_price_usd: number | null;
  /** Completed payments per calendar month (UTC), without simulated ones; null for no limit. */
  readonly monthly_transaction_limit: number | null;
  /** Always 0: the limit is hard. */
  readonly overage_cost_per_tx: number;
  /** Whether webhooks are available. */
  readonly webhook_support: boolean;
  /** Webhook endpoints; null for no limit. */
  readonly webhook_limit: number | null;
  /** Whether secret keys can be restricted to IP addresses. */
  readonly ip_whitelist: boolean;
  /** Requests per minute for each key. */
  readonly api_rate_limit_per_minute: number;
  /** Requests per hour for each key. */
  readonly api_rate_limit_per_hour: number;
  /** Whether the price is agreed individually. */
  readonly custom_pricing: boolean;
}

/** All plans, lowest first. */
export interface PlanListEnvelope {
  readonly success: true;
  readonly data: readonly Plan[];
}

/** Your plan and its usage. */
export interface Account {
  readonly plan: {
    readonly tier: PlanTier;
    /** How it was bought; null if the operator assigned it. */
    readonly billing_cycle: 'monthly' | 'yearly' | null;
    /** Always false: coins cannot be debited from a wallet. */
    readonly auto_renewal: boolean;
    /** When it ends; null if it does not. It stays active for 7 more days. */
    readonly expires_at: string | null;
  };
  readonly usage: {
    /** Payments that completed in this calendar month (UTC), without simulated ones. */
    readonly monthly_transactions_used: number;
    /** Limit of the plan; null for no limit. */
    readonly monthly_transaction_limit: number | null;
    /** Always 0: the limit is hard. */
    readonly overage_cost_per_tx: number;
  };
  readonly limits: {
    /** Requests per minute for each key. */
    readonly api_rate_limit_per_minute: number;
    /** Requests per hour for each key. */
    readonly api_rate_limit_per_hour: number;
    /** Whether webhooks are available. */
    readonly webhook_support: boolean;
  };
}

/** The account. */
export interface AccountEnvelope {
  readonly success: true;
  readonly data: Account;
}

/** A payment for a plan, paid or not. */
export interface Invoice {
  /** The payment; its page is `{checkout_url}/transaction/<id>`. */
  readonly transaction_id: string;
  /** plan_upgrade: another plan. plan_renewal: more months of the same plan. */
  readonly purchase_type: 'plan_upgrade' | 'plan_renewal';
  /** The price, in `currency_fiat`. */
  readonly amount_fiat: number;
  readonly currency_fiat: FiatCurrency;
  readonly status: TransactionStatus;
  readonly crypto_symbol: CryptoSymbol;
  /** When the payment window opened. */
  readonly created_at: string;
  /** When it was paid; null until then. */
  readonly confirmed_at: string | null;
  /** When the payment window closes. */
  readonly expires_at: string;
}

/** A page of invoices, newest first. */
export interface InvoiceListEnvelope {
  readonly success: true;
  readonly data: {
    readonly invoices: readonly Invoice[];
    readonly pagination: Pagination;
  };
}

/** Price of one whole coin. */
export interface Price {
  /** USD per whole coin. */
  readonly usd: number;
  /** Time of the oldest price in it. */
  readonly updated_at: string;
  /** The sources that agree on it. `sample` alone: an invented rate for test keys, never used for live payments. */
  readonly sources: readonly string[];
}

/** The rates that a payment created now would use. */
export interface PricesEnvelope {
  readonly success: true;
  readonly data: {
    readonly base: 'USD';
    /** The oldest `updated_at` of these rates. */
    readonly updated_at: string;
    /** By symbol. A coin without a current rate is left out and cannot be quoted. */
    readonly crypto: {
      readonly BTC?: Price;
      readonly LTC?: Price;
      readonly DOGE?: Price;
      readonly DASH?: Price;
      readonly ETH?: Price;
      readonly USDT?: Price;
      readonly USDC?: Price;
      readonly EURC?: Price;
      readonly DAI?: Price;
      readonly WBTC?: Price;
      readonly SHIB?: Price;
      readonly PEPE?: Price;
      readonly LINK?: Price;
      readonly UNI?: Price;
      readonly AAVE?: Price;
      readonly MKR?: Price;
    };
    /** By currency. One without a current rate is left out. */
    readonly fiat: {
      /** USD per USD, as in `fiat_to_usd_rate`. */
      readonly USD?: number;
      /** USD per PLN, as in `fiat_to_usd_rate`. */
      readonly PLN?: number;
      /** USD per EUR, as in `fiat_to_usd_rate`. */
      readonly EUR?: number;
      /** USD per GBP, as in `fiat_to_usd_rate`. */
      readonly GBP?: number;
    };
  };
}

/** A coin or token. */
export interface Cryptocurrency {
  readonly symbol: CryptoSymbol;
  readonly name: string;
  /** The blockchain, e.g. Ethereum for ERC-20 tokens. */
  readonly blockchain: string;
  /** The network of payments with your key: for test keys `simulated`, or `testnet` or `regtest` if the operator has connected test nodes. */
  readonly network: 'mainnet' | 'testnet' | 'regtest' | 'simulated';
  readonly type: 'coin' | 'token';
}

/** Coins and tokens. */
export interface CryptocurrencyListEnvelope {
  readonly success: true;
  readonly data: readonly Cryptocurrency[];
}

/** An empty list: coins go straight to your own wallets. */
export interface BalanceListEnvelope {
  readonly success: true;
  /** Always empty. */
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

/** A part of the transactions. */
export interface StatsShare {
  readonly created: number;
  readonly completed: number;
  /** Value of completed transactions in USD, as of their creation. */
  readonly volume_usd: number;
}

/** Statistics of the transactions created in a period, by their current state. */
export interface Stats {
  readonly totals: {
    readonly created: number;
    readonly completed: number;
    /** Includes those with exception paid_late. */
    readonly expired: number;
    readonly partial: number;
    readonly failed: number;
    /** Awaiting your decision with exception paid_late. */
    readonly paid_late: number;
    /** completed ÷ created, 0 to 1, to four decimals; null if none was created. */
    readonly conversion_rate: number | null;
    /** Value of completed transactions in USD, as of their creation. */
    readonly volume_usd: number;
    /** volume_usd ÷ completed, to the cent; null if none is completed. */
    readonly average_usd: number | null;
  };
  /** Number of transactions by current status. */
  readonly by_status: {
    readonly pending: number;
    readonly awaiting_confirmation: number;
    readonly completed: number;
    readonly partial: number;
    readonly expired: number;
    readonly failed: number;
  };
  /** By coin; coins without any are left out. */
  readonly by_crypto: {
    readonly BTC?: StatsShare;
    readonly LTC?: StatsShare;
    readonly DOGE?: StatsShare;
    readonly DASH?: StatsShare;
    readonly ETH?: StatsShare;
    readonly USDT?: StatsShare;
    readonly USDC?: StatsShare;
    readonly EURC?: StatsShare;
    readonly DAI?: StatsShare;
    readonly WBTC?: StatsShare;
    readonly SHIB?: StatsShare;
    readonly PEPE?: StatsShare;
    readonly LINK?: StatsShare;
    readonly UNI?: StatsShare;
    readonly AAVE?: StatsShare;
    readonly MKR?: StatsShare;
  };
  /** By currency; currencies without any are left out. */
  readonly by_fiat: {
    readonly USD?: {
      readonly created: number;
      readonly completed: number;
      /** Value of completed transactions in USD, as of their creation. */
      readonly volume_usd: number;
      /** Sum of the completed prices, in USD. */
      readonly volume: number;
    };
    readonly PLN?: {
      readonly created: number;
      readonly completed: number;
      /** Value of completed transactions in USD, as of their creation. */
      readonly volume_usd: number;
      /** Sum of the completed prices, in PLN. */
      readonly volume: number;
    };
    readonly EUR?: {
      readonly created: number;
      readonly completed: number;
      /** Value of completed transactions in USD, as of their creation. */
      readonly volume_usd: number;
      /** Sum of the completed prices, in EUR. */
      readonly volume: number;
    };
    readonly GBP?: {
      readonly created: number;
      readonly completed: number;
      /** Value of completed transactions in USD, as of their creation. */
      readonly volume_usd: number;
      /** Sum of the completed prices, in GBP. */
      readonly volume: number;
    };
  };
  /** By time of creation, oldest first, without gaps. The range may cut off the first and the last. */
  readonly timeseries: readonly {
    /** Start of the day, week or month, in UTC. */
    readonly start: string;
    readonly created: number;
    readonly completed: number;
    /** Value of completed transactions in USD, as of their creation. */
    readonly volume_usd: number;
  }[];
  readonly timing: {
    /** From creation until the first coins were seen. */
    readonly median_seconds_to_first_payment: number | null;
    /** From creation until completed. */
    readonly median_seconds_to_complete: number | null;
  };
  readonly usage: {
    /** Payments that count toward the limit of this month. */
    readonly used: number;
    /** null for no limit. */
    readonly limit: number | null;
    /** When the count resets. */
    readonly resets_at: string;
  };
}

/** Statistics. */
export interface StatsEnvelope {
  readonly success: true;
  readonly data: Stats;
}

/** The open payment of the same customer; only with ACTIVE_TRANSACTION_EXISTS. */
export interface ExistingTransaction {
  readonly transaction_id: string;
  readonly status: TransactionStatus;
  readonly crypto: CryptoSymbol;
  /** The price, in `currency_fiat`. */
  readonly amount_fiat: number;
  readonly currency_fiat: FiatCurrency;
  /** Payment page to send the customer to. */
  readonly payment_url: string;
  /** When its payment window closes. */
  readonly expires_at: string;
}

/** An event that an endpoint can receive. */
export type WebhookEventName =
  | 'payment.created'
  | 'payment.pending'
  | 'payment.completed'
  | 'payment.overpaid'
  | 'payment.partial'
  | 'payment.expired'
  | 'payment.failed'
  | 'payment.paid_late'
  | 'payment.needs_review'
  | 'recurring.confirmed'
  | 'recurring.payment.completed'
  | 'recurring.payment.unpaid'
  | 'recurring.stopped';

/** Your URL that receives events. */
export interface WebhookEndpoint {
  /** Sent as X-Webhook-ID with every delivery. */
  readonly endpoint_id: string;
  /** Where events are sent. */
  readonly url: string;
  /** The events it receives. */
  readonly events: readonly WebhookEventName[];
  /** Receive events of live payments, of test payments, or of both. */
  readonly modes: readonly ('live' | 'test')[];
  /** Your name for it; may be empty. */
  readonly description: string;
  /** Whether it receives events. */
  readonly enabled: boolean;
  /** When it was disabled; null while it is enabled. To replay missed events, start a minute earlier. */
  readonly disabled_at: string | null;
  /** merchant: you disabled it. failing, gone: the service disabled it because it kept failing or responded with 410 Gone. */
  readonly disabled_because: 'merchant' | 'failing' | 'gone' | null;
  /** Whether the service may disable it after it has failed for days. */
  readonly disables_itself: boolean;
  /** Whether the service disables it when it responds with 410 Gone. */
  readonly disables_on_gone: boolean;
  /** Maximum attempts per second; null for no limit. */
  readonly max_per_second: number | null;
  /** When the first attempt since the last success failed; null if it is not failing. */
  readonly failing_since: string | null;
  /** When its secret was generated. */
  readonly secret_changed_at: string;
  /** Until when the previous secret also signs; may be in the past. null unless the secret was rotated with overlap. */
  readonly previous_secret_until: string | null;
  /** When it was created. */
  readonly created_at: string;
}

/** The endpoint. */
export interface WebhookEndpointEnvelope {
  readonly success: true;
  readonly data: WebhookEndpoint;
}

/** All your endpoints, oldest first. */
export interface WebhookEndpointListEnvelope {
  readonly success: true;
  readonly data: {
    readonly endpoints: readonly WebhookEndpoint[];
  };
}

/** The endpoint, with its secret, which is shown only in this response. */
export interface WebhookSecretEnvelope {
  readonly success: true;
  readonly data: {
    readonly endpoint: WebhookEndpoint;
    /** The secret that signs deliveries. It is shown only in this response. */
    readonly secret: string;
  };
}

/** The endpoint was deleted. */
export interface WebhookEndpointDeletedEnvelope {
  readonly success: true;
  readonly data: {
    readonly endpoint_id: string;
    readonly deleted: true;
  };
}

/** A test event that was queued for delivery. */
export interface WebhookTestEnvelope {
  readonly success: true;
  readonly data: {
    /** The queued delivery. */
    readonly delivery_id: string;
    /** The `id` in the body. */
    readonly event_id: string;
    readonly event: WebhookEventName;
  };
}

/** The delivery of an event to one of your endpoints. */
export interface WebhookDelivery {
  /** Id of the delivery of this event to this endpoint. */
  readonly delivery_id: string;
  /** The endpoint. */
  readonly endpoint_id: string;
  /** The `id` in the body. */
  readonly event_id: string;
  readonly event: WebhookEventName;
  /** Whether this is a test delivery that was requested. */
  readonly is_test: boolean;
  /** The transaction of the event; null if there is none. */
  readonly transaction_id: string | null;
  /** sending: an attempt is in progress. waiting: the last attempt failed, the next one is scheduled. delivered: the response was 2xx. failed: all attempts failed, or it could not be sent. */
  readonly state: 'sending' | 'waiting' | 'delivered' | 'failed';
  /** X-Service-Attempt of the newest attempt; 0 before the first. */
  readonly attempt: number;
  /** HTTP status of the last response; null if there was none. */
  readonly last_status: number | null;
  /** Kind of the newest failure, kept after a later success; null without one. */
  readonly last_failure: string | null;
  /** When the next attempt is due; null unless it is waiting. */
  readonly next_attempt_at: string | null;
  /** When it was started. */
  readonly created_at: string;
  /** When it was delivered or failed; null until then. */
  readonly ended_at: string | null;
}

/** A page of deliveries, newest first. */
export interface WebhookDeliveryListEnvelope {
  readonly success: true;
  readonly data: {
    readonly deliveries: readonly WebhookDelivery[];
    /** Whether there are older ones: request them with `before` set to the last delivery_id. */
    readonly has_more: boolean;
  };
}

/** One attempt, with request and response. */
export interface WebhookAttempt {
  /** Its X-Service-Attempt. */
  readonly attempt: number;
  /** When it was made. */
  readonly started_at: string;
  /** How long it took, from the DNS query to the end of the response. */
  readonly duration_ms: number;
  /** HTTP status of the response; null if there was none. */
  readonly status: number | null;
  /** Why it failed: status, redirect, timeout, connection, tls, dns, blocked, secret_unreadable, endpoint_gone. null: accepted. */
  readonly failure: string | null;
  /** Details of the failure. */
  readonly failure_detail: string | null;
  /** Sent ahead of schedule, to test whether the endpoint works again. */
  readonly is_probe: boolean;
  /** As sent, without secrets; null if not stored. */
  readonly request_headers: Readonly<Record<string, unknown>> | null;
  /** As received; null if there was no response or it was not stored. */
  readonly response_headers: Readonly<Record<string, unknown>> | null;
  /** The first part of the response, as text. */
  readonly response_body: string | null;
  /** Whether only a part of the response is stored. */
  readonly is_response_cut: boolean;
  /** The IP address of the connection. */
  readonly peer_address: string | null;
  /** Parts of the duration; null for those that did not occur. */
  readonly timing: {
    /** DNS lookup, in ms. */
    readonly dns_ms: number | null;
    /** Connecting, in ms. */
    readonly connect_ms: number | null;
    /** TLS handshake, in ms. */
    readonly tls_ms: number | null;
    /** Waiting for the first byte of the response, in ms. */
    readonly first_byte_ms: number | null;
  };
}

/** A delivery with its requests and responses. */
export interface WebhookDeliveryDetails {
  /** Id of the delivery of this event to this endpoint. */
  readonly delivery_id: string;
  /** The endpoint. */
  readonly endpoint_id: string;
  /** The `id` in the body. */
  readonly event_id: string;
  readonly event: WebhookEventName;
  /** Whether this is a test delivery that was requested. */
  readonly is_test: boolean;
  /** The transaction of the event; null if there is none. */
  readonly transaction_id: string | null;
  /** sending: an attempt is in progress. waiting: the last attempt failed, the next one is scheduled. delivered: the response was 2xx. failed: all attempts failed, or it could not be sent. */
  readonly state: 'sending' | 'waiting' | 'delivered' | 'failed';
  /** X-Service-Attempt of the newest attempt; 0 before the first. */
  readonly attempt: number;
  /** HTTP status of the last response; null if there was none. */
  readonly last_status: number | null;
  /** Kind of the newest failure, kept after a later success; null without one. */
  readonly last_failure: string | null;
  /** When the next attempt is due; null unless it is waiting. */
  readonly next_attempt_at: string | null;
  /** When it was started. */
  readonly created_at: string;
  /** When it was delivered or failed; null until then. */
  readonly ended_at: string | null;
  /** The body of every attempt, byte for byte. */
  readonly body: string;
  /** The newest 100, oldest first. Attempts of earlier deliveries of the event are listed there. */
  readonly attempts: readonly WebhookAttempt[];
}

/** The delivery. */
export interface WebhookDeliveryEnvelope {
  readonly success: true;
  readonly data: WebhookDeliveryDetails;
}

/** Result of the redelivery. */
export interface WebhookRedeliveryEnvelope {
  readonly success: true;
  readonly data: {
    /** started: a new delivery of the event was started. requested: it was waiting, and its next attempt is made now. under_way: an attempt was already in progress, so nothing was changed. */
    readonly outcome: 'started' | 'requested' | 'under_way';
    /** The delivery that is sent: a new one if the requested one had ended. */
    readonly delivery_id: string;
  };
}

/** The redelivery of everything that an endpoint has not accepted since a time. */
export interface WebhookReplay {
  /** The replay. */
  readonly replay_id: string;
  /** The endpoint. */
  readonly endpoint_id: string;
  /** Start of the range of events. */
  readonly since: string;
  /** End of the range of events; the time of the request unless you set an earlier one. */
  readonly until: string;
  /** Whether events that were never tried are skipped. */
  readonly only_failed: boolean;
  /** running: events are being checked, oldest first. done: all events were checked; started deliveries continue. cancelled: by you, or because the endpoint was disabled or deleted. */
  readonly state: 'running' | 'done' | 'cancelled';
  /** Number of events examined. */
  readonly events_seen: number;
  /** Number of these for which a delivery was started. */
  readonly events_sent: number;
  /** When it was requested. */
  readonly created_at: string;
  /** When it ended; null until then. */
  readonly ended_at: string | null;
}

/** Status of the replay. */
export interface WebhookReplayEnvelope {
  readonly success: true;
  readonly data: WebhookReplay;
}

/** An error. */
export interface ErrorEnvelope {
  readonly success: false;
  /** Machine-readable code. */
  readonly error:
    | 'INVALID_REQUEST'
    | 'INVALID_CRYPTO'
    | 'INVALID_AMOUNT'
    | 'AMOUNT_TOO_LOW'
    | 'INVALID_CURRENCY'
    | 'INVALID_METADATA'
    | 'MISSING_ITEMS'
    | 'MISSING_ORDER_ID'
    | 'WALLET_NOT_CONFIGURED'
    | 'INVALID_WEBHOOK_URL'
    | 'UNAUTHORIZED'
    | 'FORBIDDEN'
    | 'USE_PAY_ENDPOINT'
    | 'PLAN_UPGRADE_REQUIRED'
    | 'NO_ACTIVE_PLAN'
    | 'MERCHANT_NOT_APPROVED'
    | 'NOT_FOUND'
    | 'TRANSACTION_NOT_FOUND'
    | 'SCHEDULE_NOT_FOUND'
    | 'LINK_NOT_FOUND'
    | 'WEBHOOK_ENDPOINT_NOT_FOUND'
    | 'WEBHOOK_DELIVERY_NOT_FOUND'
    | 'WEBHOOK_REPLAY_NOT_FOUND'
    | 'IDEMPOTENCY_CONFLICT'
    | 'ACTIVE_TRANSACTION_EXISTS'
    | 'WEBHOOK_ENDPOINT_EXISTS'
    | 'LINK_EXISTS'
    | 'PAYMENT_LINK_PAID'
    | 'INVALID_STATE'
    | 'PAYMENT_LINK_EXPIRED'
    | 'RATE_LIMIT_EXCEEDED'
    | 'TOO_MANY_OPEN_PAYMENTS'
    | 'MONTHLY_LIMIT_REACHED'
    | 'RECIPIENT_LIMIT_REACHED'
    | 'INTERNAL_ERROR'
    | 'RATE_FETCH_FAILED'
    | 'ADDRESS_GENERATION_FAILED'
    | 'UPSTREAM_ERROR';
  /** Human-readable message. */
  readonly message: string;
  /** The invalid fields, if known. */
  readonly details?: readonly {
    readonly field: string;
    readonly message: string;
  }[];
  readonly existing_transaction?: ExistingTransaction;
}

/** Status of the service. */
export interface HealthReport {
  /** degraded: payments are accepted, but a dependency other than the database does not respond. */
  readonly status: 'ok' | 'degraded';
  readonly service: 'quittance';
  /** The running version. */
  readonly version: string;
}

/** Status of one network. */
export interface ChainReport {
  /** Chain and kind of network, e.g. litecoin-mainnet. */
  readonly network: string;
  /** Whether the network carries payments of live or of test keys; null if its node is no longer connected. */
  readonly mode: 'live' | 'test' | null;
  /** watching: polled completely within the last 5 minutes. catching_up: no complete poll in that time, but its watcher works and reported within the last 60 seconds. blind: no complete poll in that time, and its watcher fails or is silent. never_started: no poll was ever completed. */
  readonly state: 'watching' | 'catching_up' | 'blind' | 'never_started';
  /** The newest block that was scanned. */
  readonly cursor_height: number | null;
  /** The newest block of the node, as of the last poll. */
  readonly tip_height: number | null;
  /** Number of blocks between the two. */
  readonly blocks_behind: number | null;
  /** The network has been scanned completely up to this time. */
  readonly looked_until: string | null;
  /** Age of `looked_until` in seconds. */
  readonly looked_age_seconds: number | null;
  /** The process that watches the network: host, process id and a random part. */
  readonly holder: string | null;
  /** When its lease expires unless renewed; by the clock of the database. */
  readonly leased_until: string | null;
  /** Why the last poll failed; null if it succeeded. */
  readonly last_error: string | null;
  /** When the last poll failed. */
  readonly last_error_at: string | null;
  /** Problems to fix although polling works. */
  readonly warnings: readonly string[];
  /** Coins and tokens not accepted, because payments would not be seen. */
  readonly unwatched_assets: readonly string[];
  /** Last report of a watcher; by the clock of the database. */
  readonly reported_at: string | null;
}

/** Health of the service, for its operators. */
export interface HealthDetailsReport {
  /** degraded: the bus does not respond, or a network is not being watched. */
  readonly status: 'ok' | 'degraded';
  readonly service: 'quittance';
  /** The running version. */
  readonly version: string;
  /** Every network that is or was watched, by name. */
  readonly chains: readonly ChainReport[];
  /** Number of unassigned payments on a chain or in a mempool. */
  readonly stray_payments: number;
  /** Configuration problems that this process has detected since it started. */
  readonly warnings: readonly string[];
}

/** The input of each operation, and the `data` of its response. */
export interface Operations {
  /** Get the status of the service */
  readonly getHealth: {
    readonly data: HealthReport;
  };
  /** Create a transaction */
  readonly createTransaction: {
    readonly headers?: {
      /** IP address of your customer, IPv4 or IPv6. It limits each customer to one open payment: while one is pending with nothing paid, creating another for the same address is rejected with 409 ACTIVE_TRANSACTION_EXISTS. The address is not stored, only a keyed hash until the payment has ended. */
      readonly 'X-Customer-IP'?: string;
    };
    readonly body: {
      /** The coin or token the customer pays with. */
      readonly crypto:
        | 'BTC'
        | 'LTC'
        | 'DOGE'
        | 'DASH'
        | 'ETH'
        | 'USDT'
        | 'USDC'
        | 'EURC'
        | 'DAI'
        | 'WBTC'
        | 'SHIB'
        | 'PEPE'
        | 'LINK'
        | 'UNI'
        | 'AAVE'
        | 'MKR';
      /** The price in `currency_fiat`, with at most 2 decimals; worth at least 1.00 USD. */
      readonly amount: number;
      /** The currency of `amount`. */
      readonly currency_fiat?: 'USD' | 'PLN' | 'EUR' | 'GBP';
      /** Your own data, returned unchanged: at most 20 keys, strings of at most 500 characters, 4096 bytes of JSON in total. */
      readonly metadata?: Readonly<Record<string, unknown>> | null;
      /** Customer email address. */
      readonly customer_email?: string | null;
      /** Where the payment page links to after payment. */
      readonly success_url?: string | null;
      /** Where the payment page links to for customers who cancel. */
      readonly cancel_url?: string | null;
    };
    readonly data: TransactionEnvelope['data'];
  };
  /** Create an itemized transaction */
  readonly createDetailedTransaction: {
    readonly headers?: {
      /** IP address of your customer, IPv4 or IPv6. It limits each customer to one open payment: while one is pending with nothing paid, creating another for the same address is rejected with 409 ACTIVE_TRANSACTION_EXISTS. The address is not stored, only a keyed hash until the payment has ended. */
      readonly 'X-Customer-IP'?: string;
    };
    readonly body: {
      /** The coin or token the customer pays with. */
      readonly crypto:
        | 'BTC'
        | 'LTC'
        | 'DOGE'
        | 'DASH'
        | 'ETH'
        | 'USDT'
        | 'USDC'
        | 'EURC'
        | 'DAI'
        | 'WBTC'
        | 'SHIB'
        | 'PEPE'
        | 'LINK'
        | 'UNI'
        | 'AAVE'
        | 'MKR';
      /** The line items. The amount of the transaction is the sum of price × quantity, worth at least 1.00 USD. */
      readonly items: readonly {
        /** Name of the item. */
        readonly name: string;
        /** Quantity. */
        readonly quantity?: number;
        /** Unit price in `currency_fiat`, with at most 2 decimals. */
        readonly price: number;
      }[];
      /** Your own reference, returned in responses and webhooks. */
      readonly order_id: string;
      /** The currency of the prices. */
      readonly currency_fiat?: 'USD' | 'PLN' | 'EUR' | 'GBP';
      /** Your own data, returned unchanged: at most 20 keys, strings of at most 500 characters, 4096 bytes of JSON in total. */
      readonly metadata?: Readonly<Record<string, unknown>> | null;
      /** Customer email address. */
      readonly customer_email?: string | null;
      /** Where the payment page links to after payment. */
      readonly success_url?: string | null;
      /** Where the payment page links to for customers who cancel. */
      readonly cancel_url?: string | null;
    };
    readonly data: TransactionEnvelope['data'];
  };
  /** List transactions */
  readonly listTransactions: {
    readonly query?: {
      /** Page size. */
      readonly limit?: number;
      /** Number of entries to skip. */
      readonly offset?: number;
      /** Only transactions with this status. */
      readonly status?: 'pending' | 'awaiting_confirmation' | 'completed' | 'partial' | 'expired' | 'failed';
      /** Only transactions in this coin. */
      readonly crypto?:
        | 'BTC'
        | 'LTC'
        | 'DOGE'
        | 'DASH'
        | 'ETH'
        | 'USDT'
        | 'USDC'
        | 'EURC'
        | 'DAI'
        | 'WBTC'
        | 'SHIB'
        | 'PEPE'
        | 'LINK'
        | 'UNI'
        | 'AAVE'
        | 'MKR';
      /** Only transactions with this exception, which await your decision. */
      readonly exception?: 'paid_late' | 'needs_review';
      /** Only transactions with this reference. */
      readonly order_id?: string;
      /** Only transactions created at or after this time. */
      readonly created_from?: string;
      /** Only transactions created before this time. Set it to the time you start, so that new transactions do not shift your pages. */
      readonly created_to?: string;
      /** Only these transactions: up to 100 ids, comma-separated. Unknown ids are skipped. Intended for polling open payments. */
      readonly ids?: string;
    };
    readonly data: TransactionListEnvelope['data'];
  };
  /** Get a transaction */
  readonly getTransaction: {
    readonly params: {
      /** The id returned by create. */
      readonly transaction_id: string;
    };
    readonly data: TransactionEnvelope['data'];
  };
  /** Simulate a payment (test keys only) */
  readonly simulateTransaction: {
    readonly params: {
      /** The id returned by create. */
      readonly transaction_id: string;
    };
    readonly body: {
      /** The event to simulate on the chain or clock of the transaction. */
      readonly action:
        | 'pay'
        | 'pay_partial'
        | 'overpay'
        | 'pay_late'
        | 'double_spend'
        | 'confirm'
        | 'reorg'
        | 'drop_balance'
        | 'advance_clock';
      /** In whole coins, for pay_partial, overpay and pay_late; each has a default. */
      readonly amount_crypto?: number;
      /** Seconds by which advance_clock moves the clock; 10 years in total. */
      readonly seconds?: number;
      /** Time to which advance_clock moves the clock, instead of seconds. */
      readonly to?: string;
    };
    readonly data: TransactionEnvelope['data'];
  };
  /** Decide about a payment */
  readonly decideTransaction: {
    readonly params: {
      /** The id returned by create. */
      readonly transaction_id: string;
    };
    readonly body: {
      /** mark_paid or dismiss while the exception is paid_late; confirm or reject while it is needs_review. */
      readonly action: 'mark_paid' | 'dismiss' | 'confirm' | 'reject';
      /** The reason, recorded in the timeline and the audit log. */
      readonly reason: string;
      /** The `step` of the transaction when you read it. If an event has changed it since, the decision is rejected. */
      readonly seen_step: number;
    };
    readonly data: TransactionEnvelope['data'];
  };
  /** Create a recurring payment request */
  readonly createSchedule: {
    readonly body: {
      /** Your own reference, such as a customer number; returned in responses and webhooks. */
      readonly reference?: string | null;
      /** Customer email address. The customer must confirm first. */
      readonly customer_email: string;
      /** The price in `currency_fiat`, with at most 2 decimals; worth at least 1.00 USD. */
      readonly amount: number;
      /** The currency of `amount`. */
      readonly currency_fiat?: 'USD' | 'PLN' | 'EUR' | 'GBP';
      /** How often a payment is requested. */
      readonly interval: 'weekly' | 'monthly' | 'quarterly' | 'yearly';
      /** What it is for, on one line; shown to the customer in every email. */
      readonly description: string;
      /** The coin or token to pay with. If omitted, the customer chooses among those you accept. */
      readonly crypto?:
        | 'BTC'
        | 'LTC'
        | 'DOGE'
        | 'DASH'
        | 'ETH'
        | 'USDT'
        | 'USDC'
        | 'EURC'
        | 'DAI'
        | 'WBTC'
        | 'SHIB'
        | 'PEPE'
        | 'LINK'
        | 'UNI'
        | 'AAVE'
        | 'MKR';
      /** When period 1 is due. If omitted, it is due when the customer confirms. */
      readonly start_at?: string | null;
      /** Number of periods, including skipped ones. If omitted, there is no limit. */
      readonly max_periods?: number | null;
      /** Your own data, returned unchanged: at most 20 keys, strings of at most 500 characters, 4096 bytes of JSON in total. */
      readonly metadata?: Readonly<Record<string, unknown>> | null;
      /** Where the payment pages link to after a period is paid. */
      readonly success_url?: string | null;
    };
    readonly data: ScheduleEnvelope['data'];
  };
  /** List recurring payment requests */
  readonly listSchedules: {
    readonly query?: {
      /** Page size. */
      readonly limit?: number;
      /** Number of entries to skip. */
      readonly offset?: number;
      /** Only those with this status. */
      readonly status?:
        | 'pending_confirmation'
        | 'active'
        | 'paused'
        | 'cancelled'
        | 'stopped_by_customer'
        | 'bounced'
        | 'expired_unconfirmed';
      /** Only those with this reference. */
      readonly reference?: string;
    };
    readonly data: ScheduleListEnvelope['data'];
  };
  /** Get a recurring payment request */
  readonly getSchedule: {
    readonly params: {
      /** The id returned by create. */
      readonly schedule_id: string;
    };
    readonly data: ScheduleEnvelope['data'];
  };
  /** List the periods of a recurring payment request */
  readonly listSchedulePeriods: {
    readonly params: {
      /** The id returned by create. */
      readonly schedule_id: string;
    };
    readonly query?: {
      /** Page size. */
      readonly limit?: number;
      /** Number of entries to skip. */
      readonly offset?: number;
    };
    readonly data: SchedulePeriodListEnvelope['data'];
  };
  /** Pause a recurring payment request */
  readonly pauseSchedule: {
    readonly params: {
      /** The id returned by create. */
      readonly schedule_id: string;
    };
    readonly data: ScheduleEnvelope['data'];
  };
  /** Resume a recurring payment request */
  readonly resumeSchedule: {
    readonly params: {
      /** The id returned by create. */
      readonly schedule_id: string;
    };
    readonly data: ScheduleEnvelope['data'];
  };
  /** Cancel a recurring payment request */
  readonly cancelSchedule: {
    readonly params: {
      /** The id returned by create. */
      readonly schedule_id: string;
    };
    readonly data: ScheduleEnvelope['data'];
  };
  /** Resend the confirmation email */
  readonly resendScheduleConfirmation: {
    readonly params: {
      /** The id returned by create. */
      readonly schedule_id: string;
    };
    readonly data: ScheduleEnvelope['data'];
  };
  /** Simulate time or the customer (test keys only) */
  readonly simulateSchedule: {
    readonly params: {
      /** The id returned by create. */
      readonly schedule_id: string;
    };
    readonly body: {
      /** confirm, stop: the customer confirms or stops. bounce: an email bounces. advance_clock: time passes. */
      readonly action: 'confirm' | 'bounce' | 'stop' | 'advance_clock';
      /** Seconds by which advance_clock moves the clock; 10 years in total. */
      readonly seconds?: number;
      /** Time to which advance_clock moves the clock, instead of seconds. */
      readonly to?: string;
    };
    readonly data: ScheduleEnvelope['data'];
  };
  /** Create a payment link */
  readonly createPaymentLink: {
    readonly body: {
      /** A slug has 3 to 64 characters: lower-case letters, digits, and hyphens that are neither first nor last. Default: an unguessable one. */
      readonly slug?: string;
      /** What is sold; shown to customers. */
      readonly title: string;
      /** Description shown to customers. */
      readonly description?: string;
      /** An image shown to customers, as a base64 data URL like `data:image/png;base64,iVBORw0KGgo…`: PNG, JPEG or WebP, of at most 256 KB and 4096 pixels a side. It is public to anyone with its URL, including metadata such as the location of a photo. */
      readonly image?: string;
      /** The fixed price in `currency_fiat`, with at most 2 decimals; worth at least 1.00 USD. If omitted, the customer chooses the amount. */
      readonly amount?: number;
      /** The smallest amount a customer may choose. Cannot be combined with `amount`. */
      readonly min_amount?: number;
      /** The largest amount a customer may choose. Cannot be combined with `amount`. */
      readonly max_amount?: number;
      /** The currency of the amounts. */
      readonly currency_fiat?: 'USD' | 'PLN' | 'EUR' | 'GBP';
      /** The coins to choose from; a single one fixes the coin. Default: all that you accept. */
      readonly cryptos?: readonly CryptoSymbol[];
      /** Where the payment page links to after payment. */
      readonly success_url?: string | null;
      /** Until when it opens payments; must be in the future. */
      readonly expires_at?: string;
      /** How often it can be paid; 1 for a single use. Default: no limit. */
      readonly max_uses?: number;
    };
    readonly data: PaymentLinkEnvelope['data'];
  };
  /** List payment links */
  readonly listPaymentLinks: {
    readonly query?: {
      /** Page size. */
      readonly limit?: number;
      /** Number of entries to skip. */
      readonly offset?: number;
    };
    readonly data: PaymentLinkListEnvelope['data'];
  };
  /** Get a payment link */
  readonly getPaymentLink: {
    readonly params: {
      /** The slug returned by create. */
      readonly slug: string;
    };
    readonly data: PaymentLinkEnvelope['data'];
  };
  /** Close a payment link */
  readonly closePaymentLink: {
    readonly params: {
      /** The slug returned by create. */
      readonly slug: string;
    };
    readonly data: PaymentLinkEnvelope['data'];
  };
  /** Get current rates */
  readonly getPrices: {
    readonly data: PricesEnvelope['data'];
  };
  /** List supported coins */
  readonly listCryptocurrencies: {
    readonly data: CryptocurrencyListEnvelope['data'];
  };
  /** List the coins you can accept */
  readonly listMerchantCryptocurrencies: {
    readonly data: CryptocurrencyListEnvelope['data'];
  };
  /** Get your account */
  readonly getAccount: {
    readonly data: AccountEnvelope['data'];
  };
  /** List balances (deprecated) */
  readonly listBalances: {
    readonly data: BalanceListEnvelope['data'];
  };
  /** Get statistics */
  readonly getStats: {
    readonly query?: {
      /** Transactions created at or after this time. Default: 30 days before `to`. */
      readonly from?: string;
      /** Transactions created before this time. Default: now. */
      readonly to?: string;
      /** Interval of `timeseries`; weeks begin on Monday. */
      readonly interval?: 'day' | 'week' | 'month';
    };
    readonly data: StatsEnvelope['data'];
  };
  /** List the plans */
  readonly listPlans: {
    readonly data: PlanListEnvelope['data'];
  };
  /** List your invoices */
  readonly listInvoices: {
    readonly query?: {
      /** Page size. */
      readonly limit?: number;
      /** Number of entries to skip. */
      readonly offset?: number;
    };
    readonly data: InvoiceListEnvelope['data'];
  };
  /** Buy a plan */
  readonly createBillingCheckout: {
    readonly body: {
      /** The plan to buy: your current plan or a higher one. */
      readonly tier: 'starter' | 'business' | 'professional' | 'enterprise';
      /** Number of months. Every 12 months cost the yearly price. */
      readonly billing_months?: number;
      /** Only `crypto` is supported. */
      readonly payment_method?: 'crypto';
      /** The coin to pay with. Default: the first coin the operator accepts. */
      readonly crypto?:
        | 'BTC'
        | 'LTC'
        | 'DOGE'
        | 'DASH'
        | 'ETH'
        | 'USDT'
        | 'USDC'
        | 'EURC'
        | 'DAI'
        | 'WBTC'
        | 'SHIB'
        | 'PEPE'
        | 'LINK'
        | 'UNI'
        | 'AAVE'
        | 'MKR';
    };
    readonly data: TransactionEnvelope['data'];
  };
  /** List webhook endpoints */
  readonly listWebhookEndpoints: {
    readonly data: WebhookEndpointListEnvelope['data'];
  };
  /** Create a webhook endpoint */
  readonly createWebhookEndpoint: {
    readonly body: {
      /** Must begin with https:// and lead to a public address, without user name, password or fragment. */
      readonly url: string;
      /** The events it receives. null: all except payment.created. */
      readonly events?: readonly WebhookEventName[] | null;
      /** Receive events of live payments, of test payments, or of both. Default on create: ["live"]. */
      readonly modes?: readonly ('live' | 'test')[];
      /** Your name for it. */
      readonly description?: string;
      /** Whether it receives events. */
      readonly enabled?: boolean;
      /** Whether the service may disable it after it has failed for days. */
      readonly disables_itself?: boolean;
      /** Whether the service disables it when it responds with 410 Gone. */
      readonly disables_on_gone?: boolean;
      /** Maximum attempts per second; null for no limit. */
      readonly max_per_second?: number | null;
    };
    readonly data: WebhookSecretEnvelope['data'];
  };
  /** Get a webhook endpoint */
  readonly getWebhookEndpoint: {
    readonly params: {
      /** The id returned by create. */
      readonly endpoint_id: string;
    };
    readonly data: WebhookEndpointEnvelope['data'];
  };
  /** Update a webhook endpoint */
  readonly changeWebhookEndpoint: {
    readonly params: {
      /** The id returned by create. */
      readonly endpoint_id: string;
    };
    readonly body: {
      /** Must begin with https:// and lead to a public address, without user name, password or fragment. */
      readonly url?: string;
      /** The events it receives. null: all except payment.created. */
      readonly events?: readonly WebhookEventName[] | null;
      /** Receive events of live payments, of test payments, or of both. Default on create: ["live"]. */
      readonly modes?: readonly ('live' | 'test')[];
      /** Your name for it. */
      readonly description?: string;
      /** Whether it receives events. */
      readonly enabled?: boolean;
      /** Whether the service may disable it after it has failed for days. */
      readonly disables_itself?: boolean;
      /** Whether the service disables it when it responds with 410 Gone. */
      readonly disables_on_gone?: boolean;
      /** Maximum attempts per second; null for no limit. */
      readonly max_per_second?: number | null;
    };
    readonly data: WebhookEndpointEnvelope['data'];
  };
  /** Delete a webhook endpoint */
  readonly deleteWebhookEndpoint: {
    readonly params: {
      /** The id returned by create. */
      readonly endpoint_id: string;
    };
    readonly data: WebhookEndpointDeletedEnvelope['data'];
  };
  /** Generate a new secret */
  readonly regenerateWebhookSecret: {
    readonly params: {
      /** The id returned by create. */
      readonly endpoint_id: string;
    };
    readonly data: WebhookSecretEnvelope['data'];
  };
  /** Rotate the secret with overlap */
  readonly rotateWebhookSecret: {
    readonly params: {
      /** The id returned by create. */
      readonly endpoint_id: string;
    };
    readonly body: {
      /** Number of hours for which the previous secret also signs. */
      readonly overlap_hours?: number;
    };
    readonly data: WebhookSecretEnvelope['data'];
  };
  /** Send a test event */
  readonly testWebhookEndpoint: {
    readonly params: {
      /** The id returned by create. */
      readonly endpoint_id: string;
    };
    readonly body: {
      /** The event type of the sample. */
      readonly event:
        | 'payment.created'
        | 'payment.pending'
        | 'payment.completed'
        | 'payment.overpaid'
        | 'payment.partial'
        | 'payment.expired'
        | 'payment.failed'
        | 'payment.paid_late'
        | 'payment.needs_review'
        | 'recurring.confirmed'
        | 'recurring.payment.completed'
        | 'recurring.payment.unpaid'
        | 'recurring.stopped';
    };
    readonly data: WebhookTestEnvelope['data'];
  };
  /** List the deliveries to an endpoint */
  readonly listWebhookDeliveries: {
    readonly params: {
      /** The id returned by create. */
      readonly endpoint_id: string;
    };
    readonly query?: {
      /** Page size. */
      readonly limit?: number;
      /** Only deliveries older than this delivery_id. For the next page, use the last one of a page. */
      readonly before?: string;
      /** Only deliveries in this state. */
      readonly state?: 'sending' | 'waiting' | 'delivered' | 'failed';
      /** Only events of this type. */
      readonly event?:
        | 'payment.created'
        | 'payment.pending'
        | 'payment.completed'
        | 'payment.overpaid'
        | 'payment.partial'
        | 'payment.expired'
        | 'payment.failed'
        | 'payment.paid_late'
        | 'payment.needs_review'
        | 'recurring.confirmed'
        | 'recurring.payment.completed'
        | 'recurring.payment.unpaid'
        | 'recurring.stopped';
      /** Only events of this transaction. */
      readonly transaction_id?: string;
      /** Only deliveries started at or after this time. */
      readonly since?: string;
      /** Only deliveries started before this time. */
      readonly until?: string;
    };
    readonly data: WebhookDeliveryListEnvelope['data'];
  };
  /** Get a delivery with its attempts */
  readonly getWebhookDelivery: {
    readonly params: {
      /** The id from the list of deliveries. */
      readonly delivery_id: string;
    };
    readonly data: WebhookDeliveryEnvelope['data'];
  };
  /** Redeliver an event */
  readonly redeliverWebhook: {
    readonly params: {
      /** The id from the list of deliveries. */
      readonly delivery_id: string;
    };
    readonly data: WebhookRedeliveryEnvelope['data'];
  };
  /** Replay events that an endpoint has not accepted */
  readonly replayWebhooks: {
    readonly params: {
      /** The id returned by create. */
      readonly endpoint_id: string;
    };
    readonly body: {
      /** Start of the range: a time in the last 60 days. */
      readonly since: string;
      /** End of the range. Default: now. */
      readonly until?: string;
      /** Only events that were tried and failed, not those that occurred while the endpoint was disabled. */
      readonly only_failed?: boolean;
    };
    readonly data: WebhookReplayEnvelope['data'];
  };
  /** Get the progress of a replay */
  readonly getWebhookReplay: {
    readonly params: {
      /** The id returned when it was requested. */
      readonly replay_id: string;
    };
    readonly data: WebhookReplayEnvelope['data'];
  };
  /** Cancel a replay */
  readonly cancelWebhookReplay: {
    readonly params: {
      /** The id returned when it was requested. */
      readonly replay_id: string;
    };
    readonly data: WebhookReplayEnvelope['data'];
  };
}

export const OPERATIONS = {
  getHealth: { method: 'GET', path: '/health', takesIdempotencyKey: false },
  createTransaction: { method: 'POST', path: '/transactions/create', takesIdempotencyKey: true },
  createDetailedTransaction: { method: 'POST', path: '/transactions/create-detailed', takesIdempotencyKey: true },
  listTransactions: { method: 'GET', path: '/transactions/list', takesIdempotencyKey: false },
  getTransaction: { method: 'GET', path: '/transactions/{transaction_id}', takesIdempotencyKey: false },
  simulateTransaction: { method: 'POST', path: '/transactions/{transaction_id}/simulate', takesIdempotencyKey: false },
  decideTransaction: { method: 'POST', path: '/transactions/{transaction_id}/decision', takesIdempotencyKey: false },
  createSchedule: { method: 'POST', path: '/recurring/create', takesIdempotencyKey: true },
  listSchedules: { method: 'GET', path: '/recurring/list', takesIdempotencyKey: false },
  getSchedule: { method: 'GET', path: '/recurring/{schedule_id}', takesIdempotencyKey: false },
  listSchedulePeriods: { method: 'GET', path: '/recurring/{schedule_id}/periods', takesIdempotencyKey: false },
  pauseSchedule: { method: 'POST', path: '/recurring/{schedule_id}/pause', takesIdempotencyKey: false },
  resumeSchedule: { method: 'POST', path: '/recurring/{schedule_id}/resume', takesIdempotencyKey: false },
  cancelSchedule: { method: 'POST', path: '/recurring/{schedule_id}/cancel', takesIdempotencyKey: false },
  resendScheduleConfirmation: {
    method: 'POST',
    path: '/recurring/{schedule_id}/resend-confirmation',
    takesIdempotencyKey: false,
  },
  simulateSchedule: { method: 'POST', path: '/recurring/{schedule_id}/simulate', takesIdempotencyKey: false },
  createPaymentLink: { method: 'POST', path: '/links', takesIdempotencyKey: false },
  listPaymentLinks: { method: 'GET', path: '/links', takesIdempotencyKey: false },
  getPaymentLink: { method: 'GET', path: '/links/{slug}', takesIdempotencyKey: false },
  closePaymentLink: { method: 'POST', path: '/links/{slug}/close', takesIdempotencyKey: false },
  getPrices: { method: 'GET', path: '/prices', takesIdempotencyKey: false },
  listCryptocurrencies: { method: 'GET', path: '/cryptos/list', takesIdempotencyKey: false },
  listMerchantCryptocurrencies: { method: 'GET', path: '/merchant/cryptos', takesIdempotencyKey: false },
  getAccount: { method: 'GET', path: '/account', takesIdempotencyKey: false },
  listBalances: { method: 'GET', path: '/balances', takesIdempotencyKey: false },
  getStats: { method: 'GET', path: '/stats', takesIdempotencyKey: false },
  listPlans: { method: 'GET', path: '/plans', takesIdempotencyKey: false },
  listInvoices: { method: 'GET', path: '/invoices', takesIdempotencyKey: false },
  createBillingCheckout: { method: 'POST', path: '/billing/checkout', takesIdempotencyKey: false },
  listWebhookEndpoints: { method: 'GET', path: '/webhooks/endpoints', takesIdempotencyKey: false },
  createWebhookEndpoint: { method: 'POST', path: '/webhooks/endpoints', takesIdempotencyKey: false },
  getWebhookEndpoint: { method: 'GET', path: '/webhooks/endpoints/{endpoint_id}', takesIdempotencyKey: false },
  changeWebhookEndpoint: { method: 'PATCH', path: '/webhooks/endpoints/{endpoint_id}', takesIdempotencyKey: false },
  deleteWebhookEndpoint: { method: 'DELETE', path: '/webhooks/endpoints/{endpoint_id}', takesIdempotencyKey: false },
  regenerateWebhookSecret: {
    method: 'POST',
    path: '/webhooks/endpoints/{endpoint_id}/regenerate-secret',
    takesIdempotencyKey: false,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/webhooks/endpoints/{endpoint_id}/rotate-secret',
    takesIdempotencyKey: false,
  },
  testWebhookEndpoint: { method: 'POST', path: '/webhooks/endpoints/{endpoint_id}/test', takesIdempotencyKey: false },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/webhooks/endpoints/{endpoint_id}/deliveries',
    takesIdempotencyKey: false,
  },
  getWebhookDelivery: { method: 'GET', path: '/webhooks/deliveries/{delivery_id}', takesIdempotencyKey: false },
  redeliverWebhook: {
    method: 'POST',
    path: '/webhooks/deliveries/{delivery_id}/redeliver',
    takesIdempotencyKey: false,
  },
  replayWebhooks: { method: 'POST', path: '/webhooks/endpoints/{endpoint_id}/replay', takesIdempotencyKey: false },
  getWebhookReplay: { method: 'GET', path: '/webhooks/replays/{replay_id}', takesIdempotencyKey: false },
  cancelWebhookReplay: { method: 'POST', path: '/webhooks/replays/{replay_id}/cancel', takesIdempotencyKey: false },
} as const satisfies Record<keyof Operations, OperationDescription>;

/** How an operation is called. */
export interface OperationDescription {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base URL; parameters in braces. */
  readonly path: string;
  readonly takesIdempotencyKey: boolean;
}
