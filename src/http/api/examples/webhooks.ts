import { PAYMENT_EVENTS, type PaymentEvent } from '../../../../machines/index.ts';
import { RECURRING_EVENTS, type RecurringEvent } from '../schemas/recurring-webhook.ts';
import { PERIOD_PAID_BY, RECURRING_PAYLOAD } from './recurring.ts';
import { RECEIPT_URL, WEBHOOK_PAYLOAD } from './transactions.ts';
import { describeEvent, type EventDescription } from './webhook-description.ts';

/**
 * The `webhooks` of the OpenAPI document: requests to the merchant's endpoint, one entry per event.
 */
export function describeWebhooks(): object {
  const payments = PAYMENT_EVENTS.map((event) =>
    describeEvent(event, 'PaymentWebhook', WEBHOOK_PAYLOAD, PAYMENT_DESCRIPTIONS[event]),
  );
  const recurring = RECURRING_EVENTS.map((event) =>
    describeEvent(event, 'RecurringWebhook', RECURRING_PAYLOAD, RECURRING_DESCRIPTIONS[event]),
  );
  return Object.fromEntries([...payments, ...recurring]);
}

// Helpers

const PAYMENT_DESCRIPTIONS: { readonly [E in PaymentEvent]: EventDescription } = {
  'payment.created': {
    summary: 'A transaction was created',
    description: 'Not part of the default subscription: you have created it yourself.',
    state: { sequence: 1, status: 'pending' },
  },
  'payment.pending': {
    summary: 'Enough was seen',
    description: 'The coins are on their way and are being confirmed. Do not hand over goods yet.',
    state: { sequence: 2, status: 'awaiting_confirmation' },
  },
  'payment.completed': {
    summary: 'The payment is completed',
    description: 'Enough is confirmed, or you have accepted what came.',
    state: { sequence: 3, status: 'completed', receipt_url: RECEIPT_URL },
  },
  'payment.overpaid': {
    summary: 'More was paid than due',
    description: 'Sent in addition to payment.completed, and again when the sum rises.',
    state: { sequence: 4, status: 'completed', receipt_url: RECEIPT_URL },
  },
  'payment.partial': {
    summary: 'Too little has come so far',
    description: 'Sent again when the sum changes. The same address takes the rest.',
    state: { sequence: 2, status: 'partial' },
  },
  'payment.expired': {
    summary: 'The window closed with too little',
    description: 'Also when enough coins vanished after it. What came is in amount_paid of the transaction.',
    state: { sequence: 2, status: 'expired' },
  },
  'payment.failed': {
    summary: 'The payment failed',
    description: 'The coins were lost, or not confirmed in time, or you have rejected them.',
    state: { sequence: 3, status: 'failed' },
  },
  'payment.paid_late': {
    summary: 'Coins came too late',
    description: 'After the window, or after the payment had failed. You decide what they mean. Sent once.',
    state: { sequence: 3, status: 'expired', exception: 'paid_late' },
  },
  'payment.needs_review': {
    summary: 'A balance dropped for an unknown reason',
    description: 'ETH and ERC-20 only. The clock of the payment stands still until you decide or the payment is found.',
    state: { sequence: 2, status: 'pending', exception: 'needs_review' },
  },
};

const RECURRING_DESCRIPTIONS: { readonly [E in RecurringEvent]: EventDescription } = {
  'recurring.confirmed': {
    summary: 'The customer has confirmed',
    description: 'Payments are requested from now on.',
    state: { sequence: 1, status: 'active' },
  },
  'recurring.payment.completed': {
    summary: 'A period was paid',
    description:
      'Also when it is paid after its time, and then after recurring.payment.unpaid. The payment itself sends its payment.* events.',
    state: { sequence: 2, status: 'active', period_no: 1, transaction_id: PERIOD_PAID_BY },
  },
  'recurring.payment.unpaid': {
    summary: 'A period was not paid in its time',
    description: '7 days after it was due, or when the next one is. The request stays active, and the link stays open.',
    state: { sequence: 2, status: 'active', period_no: 1 },
  },
  'recurring.stopped': {
    summary: 'It has ended, and not by you',
    description: 'The customer has stopped it, there is no such mailbox, or it was not confirmed within 7 days.',
    state: { sequence: 3, status: 'stopped_by_customer', reason: 'stopped_by_customer' },
  },
};
