import type { Mode, TransactionException, TransactionStatus, UnixMs } from '../../machines/index.ts';
import { derivedId } from '../platform/ids.ts';
import { isoTime } from '../platform/iso-time.ts';
import type { WebhookEventType } from './event-types.ts';

export interface SampleRequest {
  /** Id of the event, as in the payload. */
  readonly id: string;
  readonly event: WebhookEventType;
  readonly mode: Mode;
  readonly at: UnixMs;
  /** Base URL of the service for customers, without a trailing slash. */
  readonly publicUrl: string;
}

/**
 * JSON text of a sample event, with the fields of a real one in their order. Payments are marked by
 * `metadata: {"test": true}`, recurring payments, which have no metadata, by the reference `test`.
 * The transaction it names does not exist.
 */
export function sampleEventBody({ id, event, mode, at, publicUrl }: SampleRequest): string {
  const transactionId = derivedId('txn', id);
  const head = { id, event, mode, timestamp: isoTime(at) };
  if (!isPaymentType(event)) {
    const { sequence, hasTransaction = false, ...data } = RECURRING[event];
    return JSON.stringify({
      ...head,
      sequence,
      schedule_id: SCHEDULE_ID,
      ...SCHEDULE,
      ...data,
      ...(hasTransaction ? { transaction_id: transactionId } : {}),
    });
  }
  const { sequence, status, exception, hasReceipt = false } = PAYMENTS[event];
  return JSON.stringify({
    ...head,
    sequence,
    transaction_id: transactionId,
    status,
    ...(exception === undefined ? {} : { exception }),
    ...ORDER,
    order_id: null,
    ...(hasReceipt ? { receipt_url: `${publicUrl}/transaction/${transactionId}` } : {}),
    metadata: { test: true },
  });
}

// Helpers

type PaymentType = Extract<WebhookEventType, `payment.${string}`>;
type RecurringType = Exclude<WebhookEventType, PaymentType>;

interface PaymentSample {
  /** Position of the event in a payment that follows this course. */
  readonly sequence: number;
  readonly status: TransactionStatus;
  readonly exception?: TransactionException;
  readonly hasReceipt?: true;
}

const PAYMENTS: { readonly [E in PaymentType]: PaymentSample } = {
  'payment.created': { sequence: 1, status: 'pending' },
  'payment.pending': { sequence: 2, status: 'awaiting_confirmation' },
  'payment.completed': { sequence: 3, status: 'completed', hasReceipt: true },
  'payment.overpaid': { sequence: 4, status: 'completed', hasReceipt: true },
  'payment.partial': { sequence: 2, status: 'partial' },
  'payment.expired': { sequence: 2, status: 'expired' },
  'payment.failed': { sequence: 3, status: 'failed' },
  'payment.paid_late': { sequence: 3, status: 'expired', exception: 'paid_late' },
  'payment.needs_review': { sequence: 2, status: 'pending', exception: 'needs_review' },
};

/** 25 EUR at 1.08 USD per EUR, in litecoins at 80 USD each. */
const ORDER = {
  currency_crypto: 'LTC',
  currency_fiat: 'EUR',
  amount_fiat: '25',
  amount_usd: '27',
  amount_crypto: '0.3375',
};

interface RecurringSample {
  /** Position of the event in a schedule that follows this course. */
  readonly sequence: number;
  readonly status: 'active' | 'stopped_by_customer';
  /** Only for events about one payment. */
  readonly period_no?: number;
  readonly hasTransaction?: true;
  readonly reason?: 'stopped_by_customer';
}

const RECURRING: { readonly [E in RecurringType]: RecurringSample } = {
  'recurring.confirmed': { sequence: 1, status: 'active' },
  'recurring.payment.completed': { sequence: 2, status: 'active', period_no: 1, hasTransaction: true },
  'recurring.payment.unpaid': { sequence: 2, status: 'active', period_no: 1 },
  'recurring.stopped': { sequence: 2, status: 'stopped_by_customer', reason: 'stopped_by_customer' },
};

/** A UUID (RFC 9562) that no schedule has. */
const SCHEDULE_ID = '00000000-0000-4000-8000-000000000000';

const SCHEDULE = {
  reference: 'test',
  customer_email: 'customer@example.com',
  description: 'A test of your webhook endpoint',
  amount_fiat: '25',
  currency_fiat: 'EUR',
  interval: 'monthly',
};

function isPaymentType(event: WebhookEventType): event is PaymentType {
  return event.startsWith('payment.');
}
