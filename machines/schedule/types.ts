import type { UnixMs } from '../vocabulary/time.ts';
import type { Interval } from './calendar.ts';

/** A request for payment that comes back every interval. Plain JSON. */
export interface ScheduleContext extends ScheduleTerms {
  /** Due date of period 1; null until the customer has confirmed. */
  readonly anchor: UnixMs | null;
  /** Highest period that was requested or skipped; 0 before the first. */
  readonly lastPeriodNo: number;
  /** The period whose payment is awaited now. */
  readonly current: RequestedPeriod | null;
  /** Requested periods that were not paid in their time. Their links stay open, and money for them still counts. */
  readonly unpaid: readonly number[];
  /** Moments the running timers are due. */
  readonly timers: Readonly<Partial<Record<ScheduleTimer, UnixMs>>>;
  readonly confirmationsSent: number;
  /** Number of the newest thing the merchant was told. */
  readonly sequence: number;
  readonly endedAs: ScheduleEnd | null;
  readonly endedAt: UnixMs | null;
}

export interface ScheduleTerms {
  readonly scheduleId: string;
  /** Whose it is, for whoever looks; the chart decides nothing by it. Schedules of the first days have none. */
  readonly merchantId?: string;
  readonly interval: Interval;
  /** Due date of period 1 when the merchant has set one; otherwise it is the moment of the confirmation. */
  readonly startAt: UnixMs | null;
  /** The last period there is, skipped ones counted; null: no last one. */
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

/** How a schedule ends. `finished`: its last period is over. */
export type ScheduleEnd = 'cancelled' | 'stopped_by_customer' | 'bounced' | 'expired_unconfirmed' | 'finished';

export type ScheduleEvent =
  | { readonly type: 'customer.confirmed'; readonly at: UnixMs }
  | { readonly type: 'customer.stopped'; readonly at: UnixMs }
  | {
      readonly type: 'merchant.paused' | 'merchant.resumed' | 'merchant.cancelled' | 'merchant.confirmation_resent';
      readonly at: UnixMs;
      /** An opaque user id; left out when a program of the merchant's has decided. */
      readonly by?: string;
    }
  /** The customer's mailbox does not exist. */
  | { readonly type: 'mail.bounced'; readonly at: UnixMs }
  /** A transaction of this period is completed, in whatever way and however late. */
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
  /** Mail to the customer. `step` tells mails of one period apart: 0 the request, 1 and 2 the reminders. */
  sendMail: ScheduleMail;
  /** A period begins to be awaited, from `requestedAt` on. */
  requestPeriod: { periodNo: number; dueAt: UnixMs };
  /** Periods that will never be requested, because nobody looked or the schedule was paused. */
  skipPeriods: { from: number; to: number };
  settlePeriod: { periodNo: number; outcome: 'paid' | 'unpaid'; transactionId: string | null };
  /** A payment completed for a period that another one had paid before. */
  noteExcess: { periodNo: number; transactionId: string };
  notifyMerchant: ScheduleNotification;
}

export type ScheduleMail =
  | { readonly kind: 'confirmation'; readonly step: number }
  | { readonly kind: 'request'; readonly step: number; readonly periodNo: number; readonly dueAt: UnixMs };

/** A webhook event as the chart decides it. */
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
