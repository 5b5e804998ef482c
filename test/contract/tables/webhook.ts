import type { FieldTable } from '../check.ts';
import { ADDED_TO_PAYMENT_EVENT, ADDED_TO_RECURRING_EVENT, ADDED_WEBHOOK_HEADERS } from './additions.ts';
import {
  CRYPTO_SYMBOLS,
  FIAT_CURRENCIES,
  INTERVALS,
  SCHEDULE_STATUSES,
  TRANSACTION_EXCEPTIONS,
  TRANSACTION_STATUSES,
} from './values.ts';

/** The payment events, each with the statuses a transaction can have when it happens. */
export const PAYMENT_EVENTS: Readonly<Record<string, readonly string[]>> = {
  'payment.created': ['pending'],
  'payment.pending': ['awaiting_confirmation'],
  'payment.completed': ['completed'],
  'payment.overpaid': ['completed'],
  'payment.partial': ['partial'],
  'payment.expired': ['expired'],
  'payment.failed': ['failed'],
  'payment.paid_late': ['expired'],
  'payment.needs_review': ['pending'],
};

/** Events of a payment that awaits the merchant's decision, with the exception in their payload. */
const EXCEPTION_OF: Readonly<Record<string, string>> = {
  'payment.paid_late': 'paid_late',
  'payment.needs_review': 'needs_review',
};

const WITH_RECEIPT = ['payment.completed', 'payment.overpaid'];

/** WebhookPayload of one event: the event determines which optional fields are present. */
export function paymentEvent(event: string): FieldTable {
  const exception = EXCEPTION_OF[event];
  return {
    id: { type: 'string', required: 'yes' },
    event: { type: { oneOf: [event] }, required: 'yes' },
    timestamp: { type: 'date-time', required: 'yes' },
    transaction_id: { type: 'string', required: 'yes' },
    status: { type: { oneOf: PAYMENT_EVENTS[event] ?? TRANSACTION_STATUSES }, required: 'yes' },
    exception: {
      type: { oneOf: exception === undefined ? TRANSACTION_EXCEPTIONS : [exception] },
      required: 'no',
      ...(exception === undefined ? { absent: 'unless the payment waits for a decision' } : {}),
    },
    currency_crypto: { type: { oneOf: CRYPTO_SYMBOLS }, required: 'no' },
    currency_fiat: { type: { oneOf: FIAT_CURRENCIES }, required: 'no' },
    amount_fiat: { type: 'decimal string', required: 'no' },
    amount_usd: { type: 'decimal string', required: 'no' },
    amount_crypto: { type: 'decimal string', required: 'no' },
    order_id: { type: 'string', required: 'no', nullable: true },
    ...(WITH_RECEIPT.includes(event) ? { receipt_url: { type: 'uri', required: 'no' } } : {}),
    metadata: { type: 'free-form object', required: 'no', nullable: true },
    ...ADDED_TO_PAYMENT_EVENT,
  };
}

export const RECURRING_EVENTS = [
  'recurring.confirmed',
  'recurring.payment.completed',
  'recurring.payment.unpaid',
  'recurring.stopped',
];
export const STOP_REASONS = ['stopped_by_customer', 'bounced', 'unconfirmed'];

/** RecurringWebhookPayload of one event. `hasReference`: the merchant has set one. */
export function recurringEvent(event: string, hasReference: boolean): FieldTable {
  return {
    id: { type: 'string', required: 'yes' },
    event: { type: { oneOf: [event] }, required: 'yes' },
    timestamp: { type: 'date-time', required: 'yes' },
    schedule_id: { type: 'uuid', required: 'yes' },
    ...(hasReference ? { reference: { type: 'string', required: 'no' } } : {}),
    customer_email: { type: 'email', required: 'no' },
    description: { type: 'string', required: 'no' },
    amount_fiat: { type: 'decimal string', required: 'no' },
    currency_fiat: { type: { oneOf: FIAT_CURRENCIES }, required: 'no' },
    interval: { type: { oneOf: INTERVALS }, required: 'no' },
    status: { type: { oneOf: SCHEDULE_STATUSES }, required: 'yes' },
    ...(event.startsWith('recurring.payment.') ? { period_no: { type: 'integer', required: 'no' } } : {}),
    ...(event === 'recurring.payment.completed' ? { transaction_id: { type: 'string', required: 'no' } } : {}),
    ...(event === 'recurring.stopped' ? { reason: { type: { oneOf: STOP_REASONS }, required: 'no' } } : {}),
    ...ADDED_TO_RECURRING_EVENT,
  };
}

/** Request headers of a delivery, and what each must look like. */
export const WEBHOOK_HEADERS: Readonly<Record<string, RegExp>> = {
  'X-Service-Signature': /^sha256=[0-9a-f]{64}$/,
  'X-Service-Event': /^(?:payment|recurring)\.[a-z_.]+$/,
  'X-Webhook-ID': /^\S+$/,
  'X-Service-Attempt': /^[1-9]\d*$/,
  'Content-Type': /^application\/json$/,
};

/** Headers that HTTP itself needs. */
const HTTP_HEADERS = ['host', 'connection', 'content-length'];

/** Names, in lower case, that a delivery may have. */
export const KNOWN_WEBHOOK_HEADERS = [
  ...[...Object.keys(WEBHOOK_HEADERS), ...Object.keys(ADDED_WEBHOOK_HEADERS)].map((name) => name.toLowerCase()),
  ...HTTP_HEADERS,
];

/** Approximate delays in seconds between the attempts of a delivery that fails; they grow. */
export const RETRY_DELAYS_SECONDS = [10, 60, 300, 1_800, 3_600, 7_200, 14_400, 28_800];
export const RETRY_HORIZON_SECONDS = 24 * 60 * 60;
/** The shorter of the two response timeouts that the interface promises to merchants. */
export const PROMISED_RESPONSE_SECONDS = 10;
