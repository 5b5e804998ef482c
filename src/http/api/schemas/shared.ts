import {
  Account,
  AccountEnvelope,
  Invoice,
  InvoiceListEnvelope,
  Plan,
  PlanListEnvelope,
  PlanTierName,
} from './billing.ts';
import { ErrorEnvelope, ExistingTransaction } from './error.ts';
import { ChainReport, HealthDetailsReport, HealthReport } from './health.ts';
import { BalanceListEnvelope, Cryptocurrency, CryptocurrencyListEnvelope, Price, PricesEnvelope } from './market.ts';
import { PaymentLink, PaymentLinkEnvelope, PaymentLinkListEnvelope } from './payment-link.ts';
import { CryptoSymbol, FiatCurrency, TransactionException, TransactionStatus } from './primitives.ts';
import {
  Interval,
  Schedule,
  ScheduleEnvelope,
  ScheduleListEnvelope,
  SchedulePeriod,
  SchedulePeriodListEnvelope,
  ScheduleStatus,
} from './recurring.ts';
import { Stats, StatsEnvelope, StatsShare } from './stats.ts';
import { LineItem, PaymentSplit, Transaction, TransactionEnvelope } from './transaction.ts';
import { Pagination, TransactionListEnvelope } from './transaction-list.ts';
import { PaymentWebhook, RecurringWebhook } from './webhook.ts';
import {
  WebhookEndpoint,
  WebhookEndpointDeletedEnvelope,
  WebhookEndpointEnvelope,
  WebhookEndpointListEnvelope,
  WebhookEventName,
  WebhookSecretEnvelope,
  WebhookTestEnvelope,
} from './webhook-endpoint.ts';
import {
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookDeliveryEnvelope,
  WebhookDeliveryListEnvelope,
  WebhookRedeliveryEnvelope,
  WebhookReplay,
  WebhookReplayEnvelope,
} from './webhook-log.ts';

/** Schemas that routes refer to by `$id`; they become the components of the OpenAPI document. */
export const SHARED_SCHEMAS = [
  CryptoSymbol,
  FiatCurrency,
  TransactionStatus,
  TransactionException,
  LineItem,
  PaymentSplit,
  Transaction,
  TransactionEnvelope,
  Pagination,
  TransactionListEnvelope,
  PaymentWebhook,
  PaymentLink,
  PaymentLinkEnvelope,
  PaymentLinkListEnvelope,
  Interval,
  ScheduleStatus,
  Schedule,
  ScheduleEnvelope,
  ScheduleListEnvelope,
  SchedulePeriod,
  SchedulePeriodListEnvelope,
  RecurringWebhook,
  PlanTierName,
  Plan,
  PlanListEnvelope,
  Account,
  AccountEnvelope,
  Invoice,
  InvoiceListEnvelope,
  Price,
  PricesEnvelope,
  Cryptocurrency,
  CryptocurrencyListEnvelope,
  BalanceListEnvelope,
  StatsShare,
  Stats,
  StatsEnvelope,
  ExistingTransaction,
  WebhookEventName,
  WebhookEndpoint,
  WebhookEndpointEnvelope,
  WebhookEndpointListEnvelope,
  WebhookSecretEnvelope,
  WebhookEndpointDeletedEnvelope,
  WebhookTestEnvelope,
  WebhookDelivery,
  WebhookDeliveryListEnvelope,
  WebhookAttempt,
  WebhookDeliveryDetails,
  WebhookDeliveryEnvelope,
  WebhookRedeliveryEnvelope,
  WebhookReplay,
  WebhookReplayEnvelope,
  ErrorEnvelope,
  HealthReport,
  ChainReport,
  HealthDetailsReport,
] as const;
