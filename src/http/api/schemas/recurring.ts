import { Type } from 'typebox';
import { CRYPTO_SYMBOLS, INTERVALS, SCHEDULE_STATUSES } from '../../../../machines/index.ts';
import { PERIOD_STATUSES, type ScheduleView } from '../../../recurring/index.ts';
import {
  ExactNumber,
  FiatCurrency,
  Metadata,
  NullableText,
  NullableTimestamp,
  nullable,
  oneOf,
  ref,
  Timestamp,
} from './primitives.ts';
import { Pagination } from './transaction-list.ts';

export const ScheduleStatus = oneOf(SCHEDULE_STATUSES, {
  $id: 'ScheduleStatus',
  description:
    'pending_confirmation: the customer has not confirmed yet. active: payments are requested. paused: by you, until you resume it. The others have ended. cancelled: by you or after the last period. stopped_by_customer: by the customer. bounced: the mailbox does not exist. expired_unconfirmed: not confirmed in time.',
});

export const Interval = oneOf(INTERVALS, {
  $id: 'Interval',
  description:
    'How often a payment is requested, counted from period 1 in UTC. If a month does not have the day, its last day is used.',
});

type EndReason = NonNullable<ScheduleView['endReason']>;
/** Total over the union: a new internal reason does not compile until it is added here. */
const END_REASONS: { readonly [R in EndReason]: R } = {
  cancelled: 'cancelled',
  finished: 'finished',
  stopped_by_customer: 'stopped_by_customer',
  bounced: 'bounced',
  unconfirmed: 'unconfirmed',
};

export const Schedule = Type.Object(
  {
    schedule_id: Type.String({ format: 'uuid', description: 'Id of the recurring payment request.' }),
    reference: NullableText('Your own reference.'),
    customer_email: Type.String({ format: 'email', description: 'Customer email address.' }),
    description: Type.String({ description: 'Shown to the customer in every email.' }),
    amount_fiat: ExactNumber('Price of a period, in `currency_fiat`.'),
    currency_fiat: ref(FiatCurrency),
    interval: ref(Interval),
    status: ref(ScheduleStatus),
    crypto: Type.Unsafe<ScheduleView['crypto']>({
      type: ['string', 'null'],
      enum: [...CRYPTO_SYMBOLS, null],
      description: 'The coin to pay with; null if the customer chooses among those you accept.',
    }),
    start_at: NullableTimestamp('When period 1 is due, as requested; null if it is due on confirmation.'),
    max_periods: nullable<number>('integer', { description: 'Number of periods; null for no limit.' }),
    metadata: Metadata({ description: 'As sent in the request.' }),
    success_url: nullable<string>('string', { format: 'uri', description: 'Where paid payment pages link to.' }),
    is_test: Type.Boolean({ description: 'Whether it was created with a test key.' }),
    confirmations_sent: Type.Integer({ description: 'Number of confirmation emails sent.' }),
    last_period_no: Type.Integer({
      description: 'The newest period that was requested or skipped; 0 before the first.',
    }),
    next_due_at: NullableTimestamp('When the next payment is requested; null if none will be.'),
    created_at: Timestamp('When it was created.'),
    confirmed_at: NullableTimestamp('When the customer confirmed it; null until then.'),
    ended_at: NullableTimestamp('When it ended; null until then.'),
    end_reason: Type.Unsafe<EndReason | null>({
      type: ['string', 'null'],
      enum: [...Object.values(END_REASONS), null],
      description: 'Why it ended; null until then. finished: its last period has ended, and its status is cancelled.',
    }),
  },
  { $id: 'Schedule', description: 'A payment that is requested from a customer regularly.' },
);

export const SchedulePeriod = Type.Object(
  {
    period_no: Type.Integer({ minimum: 1, description: 'Number of the period: 1, 2, 3 …' }),
    status: oneOf(PERIOD_STATUSES, {
      description:
        'awaited: requested and not paid yet. paid: paid. unpaid: not paid in time; its link stays open. skipped: never requested.',
    }),
    due_at: Timestamp('When it is due.'),
    requested_at: NullableTimestamp('When the payment was requested; null for a skipped period.'),
    reminders_sent: Type.Integer({ description: 'Number of reminders sent.' }),
    settled_at: NullableTimestamp('When it was paid or became unpaid; null until then.'),
    transaction_id: NullableText('The payment that paid it; null until then.'),
    payment_url: nullable<string>('string', {
      format: 'uri',
      description: 'The page linked in the email; null for a skipped period.',
    }),
    attempts: Type.Array(Type.String(), { description: 'Payments opened for it, newest first.' }),
    excess_transaction_ids: Type.Array(Type.String(), {
      description: 'Completed payments in addition to the one that paid it: the customer has paid twice.',
    }),
  },
  { $id: 'SchedulePeriod', description: 'One period that was requested or skipped.' },
);

export const ScheduleEnvelope = Type.Object(
  { success: Type.Literal(true), data: ref(Schedule) },
  { $id: 'ScheduleEnvelope', description: 'The recurring payment request.' },
);

export const ScheduleListEnvelope = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Object({ schedules: Type.Array(ref(Schedule)), pagination: ref(Pagination) }),
  },
  { $id: 'ScheduleListEnvelope', description: 'A page of recurring payment requests, newest first.' },
);

export const SchedulePeriodListEnvelope = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Object({ periods: Type.Array(ref(SchedulePeriod)), pagination: ref(Pagination) }),
  },
  { $id: 'SchedulePeriodListEnvelope', description: 'A page of periods, newest first.' },
);

export const ScheduleParams = Type.Object({
  schedule_id: Type.String({ description: 'The id returned by create.' }),
});
