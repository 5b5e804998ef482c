import type { UnixMs } from '../vocabulary/time.ts';
import type { Interval } from './calendar.ts';

/** A recurring payment request. Plain JSON. */
export interface ScheduleContext extends ScheduleTerms {
  /** Due date of period 1; null until the customer has confirmed. */
  readonly anchor: UnixMs | null;
  /** Highest period that was requested or skipped; 0 before the first. */
  readonly lastPeriodNo: number;
  /** The period whose payment is awaited. */
  readonly current: RequestedPeriod | null;
  /** Requested periods not paid in time. Their links stay open, and late payments still count. */
  readonly unpaid: readonly number[];
  /** Due times of the running timers. */
  readonly timers: Readonly<Partial<Record<ScheduleTimer, UnixMs>>>;
  readonly confirmationsSent: number;
  /** Sequence number of the last webhook to the merchant. */
  readonly sequence: number;
  readonly endedAs: ScheduleEnd | null;
  readonly endedAt: UnixMs | null;
}

export interface ScheduleTerms {
  readonly scheduleId: string;
  /** The owner, which the chart does not use. Missing on the oldest schedules. */
  readonly merchantId?: string;
  readonly interval: Interval;
  /** Due date of period 1 if the merchant set one; null uses the time of confirmation. */
  readonly startAt: UnixMs | null;
  /** The last period, skipped ones counted; null when there is no last one. */
  readonly maxPeriods: number | null;
  readonly createdAt: UnixMs;
}

export interface RequestedPeriod {
  readonly periodNo: number;
  readonly dueAt: UnixMs;
  /** Later than `dueAt` after a downtime. */
  readonly requestedAt: UnixMs;
  readonly remindersSent: number;
}

/** How a schedule ends. `finished`: its last period has ended. */
export type ScheduleEnd = 'cancelled' | 'stopped_by_customer' | 'bounced' | 'expired_unconfirmed' | 'finished';

export type ScheduleEvent =
  | { readonly type: 'customer.confirmed'; readonly at: UnixMs }
  | { readonly type: 'customer.stopped'; readonly at: UnixMs }
  | {
      readonly type: 'merchant.paused' | 'merchant.resumed' | 'merchant.cancelled' | 'merchant.confirmation_resent';
      readonly at: UnixMs;
      /** An opaque user id; absent when the merchant's own program made the request. */
      readonly by?: string;
    }
  /** The customer's mailbox does not exist. */
  | { readonly type: 'mail.bounced'; readonly at: UnixMs }
  /** A transaction for this period completed, in any way and however late. */
  | {
      readonly type: 'payment.completed';
      readonly at: UnixMs;
      readonly periodNo: number;
      readonly transactionId: string;
    }
  | { readonly type: `timer.${ScheduleTimer}`; readonly at: UnixMs; readonly dueAt: UnixMs };

export type ScheduleTimer = 'confirmation_expired' | 'period_due' | 'reminder_due' | 'unpaid_due' | 'forgotten';

export interface ScheduleEffects {
  startTimer: { timer: ScheduleTimer; dueAt: UnixMs; gated: false };
  cancelTimer: { timer: ScheduleTimer };
  /** Email to the customer. `step` within one period: 0 the request, 1 and 2 the reminders. */
  sendMail: ScheduleEmail;
  /** The period is awaited from `requestedAt` on. */
  requestPeriod: { periodNo: number; dueAt: UnixMs };
  /** Periods that are never requested, because the service was down or the schedule paused. */
  skipPeriods: { from: number; to: number };
  settlePeriod: { periodNo: number; outcome: 'paid' | 'unpaid'; transactionId: string | null };
  /** A payment completed for a period that was already paid. */
  noteExcess: { periodNo: number; transactionId: string };
  notifyMerchant: ScheduleNotification;
}

export type ScheduleEmail =
  | { readonly kind: 'confirmation'; readonly step: number }
  | { readonly kind: 'request'; readonly step: number; readonly periodNo: number; readonly dueAt: UnixMs };

/** A webhook event as decided by the chart. */
export type ScheduleNotification = { readonly sequence: number } & (
  | { readonly event: 'recurring.confirmed' }
  | { readonly event: 'recurring.payment.completed'; readonly periodNo: number; readonly transactionId: string }
  | { readonly event: 'recurring.payment.unpaid'; readonly periodNo: number }
  | { readonly event: 'recurring.stopped'; readonly reason: 'stopped_by_customer' | 'bounced' | 'unconfirmed' }
);

/** The statuses a merchant sees. */
export const SCHEDULE_STATUSES = [
  'pending_confirmation',
  'active',
  'paused',
  'cancelled',
  'stopped_by_customer',
  'bounced',
  'expired_unconfirmed',
] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];
