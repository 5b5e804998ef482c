import { Type } from 'typebox';
import { MODES, PAYMENT_EVENTS, type ScheduleNotification } from '../../../../machines/index.ts';
import {
  CryptoSymbol,
  FiatCurrency,
  Metadata,
  NullableText,
  oneOf,
  ref,
  Timestamp,
  TransactionException,
  TransactionStatus,
} from './primitives.ts';
import { Interval, ScheduleStatus } from './recurring.ts';

const DecimalText = (description: string) =>
  Type.String({ pattern: '^[0-9]+(\\.[0-9]+)?$', description: `${description} A decimal.` });

/** The body of a payment event, as `paymentEventBody` of `payments` writes it. */
export const PaymentWebhook = Type.Object(
  {
    id: Type.String({ description: 'Id of the event, the same on every attempt and for every endpoint.' }),
    event: oneOf(PAYMENT_EVENTS, { description: 'What happened.' }),
    mode: oneOf(MODES, {
      description: 'live, or test if it was created with a test key: test payments pay nothing.',
    }),
    timestamp: Timestamp('When it happened.'),
    sequence: Type.Integer({
      minimum: 1,
      description: 'Sequence number among the events of this transaction: 1, 2, 3 …',
    }),
    transaction_id: Type.String({ description: 'The transaction.' }),
    status: ref(TransactionStatus),
    exception: Type.Optional(ref(TransactionException)),
    currency_crypto: ref(CryptoSymbol),
    currency_fiat: ref(FiatCurrency),
    amount_fiat: DecimalText('The price, in `currency_fiat`.'),
    amount_usd: DecimalText('The price in USD when the transaction was created.'),
    amount_crypto: DecimalText('The amount due, in whole coins; not the amount paid.'),
    order_id: NullableText('Your own reference.'),
    items: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String(),
          quantity: Type.Integer(),
          price: DecimalText('Unit price in `currency_fiat`.'),
        }),
        { description: 'The line items; only for a detailed transaction.' },
      ),
    ),
    receipt_url: Type.Optional(
      Type.String({
        format: 'uri',
        description: 'The payment page, which is the receipt; only in payment.completed and payment.overpaid.',
      }),
    ),
    metadata: Metadata({ description: 'As sent in the request.' }),
  },
  { $id: 'PaymentWebhook', description: 'The body sent to your endpoint for events of a payment.' },
);

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
    amount_fiat: DecimalText('Price of a period, in `currency_fiat`.'),
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
