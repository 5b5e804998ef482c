import { Type } from 'typebox';
import { MODES, type ScheduleNotification } from '../../../../machines/index.ts';
import { FiatCurrency, Timestamp } from './primitives.ts';
import { Interval, ScheduleStatus } from './recurring.ts';
import { oneOf, ref } from './ref.ts';

export type RecurringEvent = ScheduleNotification['event'];
type StopReason = Extract<ScheduleNotification, { readonly event: 'recurring.stopped' }>['reason'];

/** Total over the events of the chart. */
const EVENTS: { readonly [E in RecurringEvent]: E } = {
  'recurring.confirmed': 'recurring.confirmed',
  'recurring.payment.completed': 'recurring.payment.completed',
  'recurring.payment.unpaid': 'recurring.payment.unpaid',
  'recurring.stopped': 'recurring.stopped',
};
export const RECURRING_EVENTS: readonly RecurringEvent[] = Object.values(EVENTS);
const STOP_REASONS: { readonly [R in StopReason]: R } = {
  stopped_by_customer: 'stopped_by_customer',
  bounced: 'bounced',
  unconfirmed: 'unconfirmed',
};

/** The body of a recurring event, as `recurring` writes it. */
export const RecurringWebhook = Type.Object(
  {
    id: Type.String({ description: 'Id of the event, the same on every attempt and for every endpoint.' }),
    event: oneOf(RECURRING_EVENTS, { description: 'What happened.' }),
    mode: oneOf(MODES, {
      description: 'live, or test if it was created with a test key: test payments pay nothing.',
    }),
    timestamp: Timestamp('When it happened.'),
    sequence: Type.Integer({ minimum: 1, description: 'Sequence number among the events of this request: 1, 2, 3 …' }),
    schedule_id: Type.String({ format: 'uuid', description: 'The recurring payment request.' }),
    reference: Type.Optional(Type.String({ description: 'Your own reference; only if you sent one.' })),
    customer_email: Type.String({ format: 'email', description: 'Customer email address.' }),
    description: Type.String({ description: 'What it is for.' }),
    amount_fiat: Type.String({
      pattern: '^[0-9]+(\\.[0-9]+)?$',
      description: 'Price of a period, in `currency_fiat`. A decimal.',
    }),
    currency_fiat: ref(FiatCurrency),
    interval: ref(Interval),
    status: ref(ScheduleStatus),
    period_no: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The period; only in recurring.payment.completed and …unpaid.' }),
    ),
    transaction_id: Type.Optional(
      Type.String({ description: 'The transaction that paid the period; only in recurring.payment.completed.' }),
    ),
    reason: Type.Optional(
      oneOf(Object.values(STOP_REASONS), { description: 'Why it ended; only in recurring.stopped.' }),
    ),
  },
  {
    $id: 'RecurringWebhook',
    description: 'The body sent to your endpoint for events of a recurring payment request.',
  },
);
