import { RECURRING_EVENTS, type RecurringEvent } from '../schemas/recurring-webhook.ts';
import { PERIOD_PAID_BY, RECURRING_PAYLOAD } from './recurring.ts';
import { describeEvent, type EventDescription } from './webhook-description.ts';

const DESCRIPTIONS: { readonly [E in RecurringEvent]: EventDescription } = {
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

/** The entries of the recurring events. */
export const RECURRING_WEBHOOKS = RECURRING_EVENTS.map((event) =>
  describeEvent(event, 'RecurringWebhook', RECURRING_PAYLOAD, DESCRIPTIONS[event]),
);
