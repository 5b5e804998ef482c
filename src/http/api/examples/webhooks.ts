import { PAYMENT_EVENTS, type PaymentEvent } from '../../../../machines/index.ts';
import { RECURRING_WEBHOOKS } from './recurring-webhooks.ts';
import { RECEIPT_URL, WEBHOOK_PAYLOAD } from './transactions.ts';
import { describeEvent, type EventDescription } from './webhook-description.ts';

/**
 * The `webhooks` of the OpenAPI document: requests to the merchant's endpoint, one entry per event.
 */
export function describeWebhooks(): object {
  const payments = PAYMENT_EVENTS.map((event) =>
    describeEvent(event, 'PaymentWebhook', WEBHOOK_PAYLOAD, DESCRIPTIONS[event]),
  );
  return Object.fromEntries([...payments, ...RECURRING_WEBHOOKS]);
}

// Helpers

const DESCRIPTIONS: { readonly [E in PaymentEvent]: EventDescription } = {
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
