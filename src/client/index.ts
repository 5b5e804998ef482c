/**
 * The client of the merchant API, published as `quittance/client`. It needs Node 20 or newer and no
 * other package, so it imports nothing from the service.
 */

export type { Api, CallOptions, Client, ClientOptions, CreateOptions, InputOf, OperationId } from './client.ts';
export { createClient } from './client.ts';
export type { ApiErrorCode, WebhookErrorCode } from './errors.ts';
export { ApiError, ConnectionError, WebhookError } from './errors.ts';
export type { ListQuery, TransactionList, TransactionPage } from './list.ts';
export type {
  CryptoSymbol,
  FiatCurrency,
  Operations,
  PaymentSplit,
  PaymentWebhook,
  RecurringWebhook,
  Schedule,
  SchedulePeriod,
  ScheduleStatus,
  Transaction,
  TransactionException,
  TransactionStatus,
} from './operations.ts';
export { serviceSignature, standardSignature } from './signatures.ts';
export type { VerifyOptions, WebhookHeaders } from './verify-webhook.ts';
export { verifyWebhook } from './verify-webhook.ts';
export type { OtherWebhook, WebhookEvent } from './webhook-event.ts';
export { isPaymentEvent, isRecurringEvent } from './webhook-event.ts';
