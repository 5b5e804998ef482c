import { type Static, Type } from 'typebox';
import { INTERVALS, SCHEDULE_STATUSES } from '../../../../../machines/index.ts';
import { line, list, Moment, nullable, oneOf, refined, text, whole } from '../../schema.ts';
import { ClockSeconds, CryptoSymbol, FiatCurrency, Mode } from '../schemas.ts';

const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;

export const ScheduleStatus = oneOf(SCHEDULE_STATUSES);
export type ScheduleStatusName = Static<typeof ScheduleStatus>;

export const Interval = oneOf(INTERVALS);
export type IntervalName = Static<typeof Interval>;

export const ScheduleInfo = Type.Object({
  id: Type.String(),
  /** The merchant's own reference. */
  reference: nullable(Type.String()),
  customerEmail: Type.String(),
  /** Shown to the customer in every mail. */
  description: Type.String(),
  amount: Type.String(),
  currency: Type.String(),
  interval: Interval,
  status: ScheduleStatus,
  /** Null: the customer chooses. */
  crypto: nullable(Type.String()),
  /** Requested due time of period 1; null for the time of the confirmation. */
  startAt: nullable(Type.Number()),
  /** Null: no last period. */
  maxPeriods: nullable(Type.Number()),
  successUrl: nullable(Type.String()),
  confirmationsSent: Type.Number(),
  /** The newest period that was requested or skipped; 0 before the first. */
  lastPeriodNo: Type.Number(),
  /** Null while nothing will be requested. */
  nextDueAt: nullable(Type.Number()),
  createdAt: Type.Number(),
  /** Deadline for the customer's confirmation; null once that is decided. */
  confirmBy: nullable(Type.Number()),
  confirmedAt: nullable(Type.Number()),
  endedAt: nullable(Type.Number()),
  /** Its last period is over, as opposed to cancelled. */
  isFinished: Type.Boolean(),
});
export type ScheduleInfo = Static<typeof ScheduleInfo>;

/** Newest first. */
export const SchedulePage = Type.Object({
  schedules: list(ScheduleInfo),
  /** An operator has to approve the merchant before it can create requests in this mode. */
  needsApproval: Type.Boolean(),
  total: Type.Number(),
  /** Offset of the next page; null when there is none. */
  next: nullable(Type.Number()),
});
export type SchedulePage = Static<typeof SchedulePage>;

export const ScheduleMailInfo = Type.Object({
  kind: oneOf(['confirmation', 'request', 'reminder']),
  /** Null for a confirmation. */
  periodNo: nullable(Type.Number()),
  /** `stored`: kept and never sent. */
  state: oneOf(['queued', 'stored', 'sent', 'failed']),
  failedBecause: nullable(oneOf(['bounced', 'refused', 'gave_up'])),
  createdAt: Type.Number(),
  sentAt: nullable(Type.Number()),
});
export type ScheduleMailInfo = Static<typeof ScheduleMailInfo>;

export const ScheduleDetail = Type.Object({
  schedule: ScheduleInfo,
  /** The schedule's current time: test schedules can be ahead. */
  now: Type.Number(),
  maxConfirmations: Type.Number(),
  /** Newest first. */
  mails: list(ScheduleMailInfo),
});
export type ScheduleDetail = Static<typeof ScheduleDetail>;

export const PeriodStatusName = oneOf(['awaited', 'paid', 'unpaid', 'skipped']);
export type PeriodStatusName = Static<typeof PeriodStatusName>;

export const PeriodInfo = Type.Object({
  periodNo: Type.Number(),
  status: PeriodStatusName,
  dueAt: Type.Number(),
  /** Null for a skipped period. */
  requestedAt: nullable(Type.Number()),
  remindersSent: Type.Number(),
  settledAt: nullable(Type.Number()),
  /** The payment that paid it. */
  paymentId: nullable(Type.String()),
  /** The page that the customer's mail links to; null for a skipped period. */
  paymentUrl: nullable(Type.String()),
  /** Every payment opened for it, newest first. */
  attemptIds: list(Type.String()),
  /** Completed payments beyond the one that paid it. */
  excessPaymentIds: list(Type.String()),
});
export type PeriodInfo = Static<typeof PeriodInfo>;

/** Newest first. */
export const PeriodPage = Type.Object({
  periods: list(PeriodInfo),
  total: Type.Number(),
  next: nullable(Type.Number()),
});
export type PeriodPage = Static<typeof PeriodPage>;

export const Reference = line(255);

/** RFC 5321 allows 254 characters for an address. */
const EmailAddress = refined(
  text(254),
  (address) => ADDRESS.test(address),
  'must be an e-mail address like name@shop.example',
);

/** A URL that a browser can open without running code (http or https). */
const WebAddress = refined(
  text(2_048),
  (url) => URL.canParse(url) && ['https:', 'http:'].includes(new URL(url).protocol),
  'must be an https:// or http:// address',
);

export const NewScheduleBody = Type.Object({
  mode: Mode,
  /** Idempotency key: a repeated request creates no second schedule. */
  requestId: text(100),
  customerEmail: EmailAddress,
  description: line(500),
  amount: text(50),
  currency: FiatCurrency,
  interval: Interval,
  reference: Type.Optional(Reference),
  crypto: Type.Optional(CryptoSymbol),
  startAt: Type.Optional(Moment),
  /** At most monthly for a hundred years. */
  maxPeriods: Type.Optional(whole(1, 1_200)),
  successUrl: Type.Optional(WebAddress),
});
export type NewScheduleBody = Static<typeof NewScheduleBody>;

export type ScheduleDecisionName = 'pause' | 'resume' | 'cancel' | 'resend-confirmation';

/** For test schedules. `advance_clock` takes `seconds` or `to`, the other actions neither. */
export const SimulateScheduleBody = Type.Object({
  action: oneOf(['confirm', 'bounce', 'stop', 'advance_clock']),
  seconds: Type.Optional(ClockSeconds),
  to: Type.Optional(Moment),
});
export type SimulateScheduleBody = Static<typeof SimulateScheduleBody>;
