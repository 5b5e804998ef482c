import { PAYMENT_EVENTS, type PaymentEvent } from '../../../../machines/index.ts';
import { RECURRING_EVENTS, type RecurringEvent } from '../schemas/webhook.ts';
import { PERIOD_PAID_BY, RECURRING_PAYLOAD } from './recurring.ts';
import { RECEIPT_URL, WEBHOOK_PAYLOAD } from './transactions.ts';

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
    description: 'Not part of the default subscription, because you created the transaction yourself.',
    state: { sequence: 1, status: 'pending' },
  },
  'payment.pending': {
    summary: 'Enough was seen',
    description: 'The coins were seen and are being confirmed. Do not deliver goods yet.',
    state: { sequence: 2, status: 'awaiting_confirmation' },
  },
  'payment.completed': {
    summary: 'The payment is completed',
    description: 'Enough is confirmed, or you have accepted the payment.',
    state: { sequence: 3, status: 'completed', receipt_url: RECEIPT_URL },
  },
  'payment.overpaid': {
    summary: 'More was paid than due',
    description: 'Sent in addition to payment.completed, and again when the sum increases.',
    state: { sequence: 4, status: 'completed', receipt_url: RECEIPT_URL },
  },
  'payment.partial': {
    summary: 'Too little has arrived so far',
    description: 'Sent again when the sum changes. The rest can be paid to the same address.',
    state: { sequence: 2, status: 'partial' },
  },
  'payment.expired': {
    summary: 'The window closed with too little',
    description:
      'Also if enough coins vanished after it closed. The received amount is in amount_paid of the transaction.',
    state: { sequence: 2, status: 'expired' },
  },
  'payment.failed': {
    summary: 'The payment failed',
    description: 'The coins were lost or not confirmed in time, or you rejected the payment.',
    state: { sequence: 3, status: 'failed' },
  },
  'payment.paid_late': {
    summary: 'Coins arrived too late',
    description:
      'After the window, or after the payment had failed. You decide how to handle them. Sent once until you decide.',
    state: { sequence: 3, status: 'expired', exception: 'paid_late' },
  },
  'payment.needs_review': {
    summary: 'A balance dropped for an unknown reason',
    description: 'ETH and ERC-20 only. The clock of the payment is stopped until you decide or the payment is found.',
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
      'Also if it is paid late, after recurring.payment.unpaid. The payment itself sends its payment.* events.',
    state: { sequence: 2, status: 'active', period_no: 1, transaction_id: PERIOD_PAID_BY },
  },
  'recurring.payment.unpaid': {
    summary: 'A period was not paid in time',
    description:
      'Sent 7 days after it was due, or when the next one is due. The request stays active, and the link stays open.',
    state: { sequence: 2, status: 'active', period_no: 1 },
  },
  'recurring.stopped': {
    summary: 'The recurring payment request has ended',
    description:
      'The customer stopped it, the mailbox does not exist, or it was not confirmed within 7 days. Not sent if you ended it.',
    state: { sequence: 3, status: 'stopped_by_customer', reason: 'stopped_by_customer' },
  },
};

interface EventDescription {
  readonly summary: string;
  readonly description: string;
  /** Fields of the example payload that are specific to this event. */
  readonly state: object;
}

/**
 * An entry of `webhooks`: an event without a 2xx response within 10 seconds is sent again.
 * `component` is the schema of its body.
 */
function describeEvent(
  event: string,
  component: string,
  fields: object,
  { summary, description, state }: EventDescription,
): readonly [event: string, described: object] {
  const post = {
    operationId: event,
    summary,
    description,
    tags: ['Webhooks'],
    security: [],
    parameters: HEADERS.map(([name, text]) => ({
      name,
      in: 'header',
      required: true,
      description: text,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${component}` },
          example: { event, ...fields, ...state },
        },
      },
    },
    responses: {
      '2XX': { description: 'Accepted. The content of the response is ignored.' },
      default: {
        description:
          'On any other status, and without a response within 10 seconds, it is sent again: up to ten times within 24 hours, with the same id.',
      },
    },
  };
  return [event, { post }];
}

const HEADERS = [
  ['X-Service-Signature', '`sha256=` and the HMAC-SHA256 of the raw body in hex, keyed with the whole secret.'],
  ['X-Service-Event', 'The event, as in the body.'],
  ['X-Webhook-ID', 'Your endpoint, the same on every delivery; do not use it to detect duplicates.'],
  ['X-Service-Attempt', '1 for the first attempt, then increasing.'],
  ['webhook-id', 'The id of the body (Standard Webhooks).'],
  ['webhook-timestamp', 'Unix seconds of this attempt (Standard Webhooks).'],
  ['webhook-signature', '`v1,` and a base64 signature over id, timestamp and body (Standard Webhooks).'],
] as const;
