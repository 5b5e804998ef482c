import type { Mode } from './desk.ts';

/** Payments that customers are asked for again and again. Money is exact decimal text, moments are Unix ms. */

export type ScheduleStatusName =
  | 'pending_confirmation'
  | 'active'
  | 'paused'
  | 'cancelled'
  | 'stopped_by_customer'
  | 'bounced'
  | 'expired_unconfirmed';
export type IntervalName = 'weekly' | 'monthly' | 'quarterly' | 'yearly';

export interface ScheduleInfo {
  readonly id: string;
  /** The merchant's own name for it. */
  readonly reference: string | null;
  readonly customerEmail: string;
  /** What the customer reads in every mail. */
  readonly description: string;
  readonly amount: string;
  readonly currency: string;
  readonly interval: IntervalName;
  readonly status: ScheduleStatusName;
  /** Null: the customer chooses. */
  readonly crypto: string | null;
  /** When period 1 is due, as asked for; null for the moment of the confirmation. */
  readonly startAt: number | null;
  /** Null: there is no last one. */
  readonly maxPeriods: number | null;
  readonly successUrl: string | null;
  readonly confirmationsSent: number;
  /** The newest period that was requested or skipped; 0 before the first. */
  readonly lastPeriodNo: number;
  /** Null while nothing will be requested. */
  readonly nextDueAt: number | null;
  readonly createdAt: number;
  /** Until then the customer can confirm; null once that is decided. */
  readonly confirmBy: number | null;
  readonly confirmedAt: number | null;
  readonly endedAt: number | null;
  /** Its last period is over: nobody has ended it. */
  readonly isFinished: boolean;
}

/** GET `merchant/recurring?mode=&status=&reference=&offset=`, newest first. */
export interface SchedulePage {
  readonly schedules: readonly ScheduleInfo[];
  /** An operator has to approve the merchant before one can be created in this mode. */
  readonly needsApproval: boolean;
  readonly total: number;
  /** Offset of the next page; null when there is none. */
  readonly next: number | null;
}

/** GET `merchant/recurring/:id?mode=`. */
export interface ScheduleDetail {
  readonly schedule: ScheduleInfo;
  /** What time it is for it: test schedules can be ahead. */
  readonly now: number;
  readonly maxConfirmations: number;
  /** Newest first. */
  readonly mails: readonly ScheduleMailInfo[];
}

export interface ScheduleMailInfo {
  readonly kind: 'confirmation' | 'request' | 'reminder';
  /** Null for a confirmation. */
  readonly periodNo: number | null;
  /** `stored`: kept and never sent. */
  readonly state: 'queued' | 'stored' | 'sent' | 'failed';
  readonly failedBecause: 'bounced' | 'refused' | 'gave_up' | null;
  readonly createdAt: number;
  readonly sentAt: number | null;
}

export type PeriodStatusName = 'awaited' | 'paid' | 'unpaid' | 'skipped';

export interface PeriodInfo {
  readonly periodNo: number;
  readonly status: PeriodStatusName;
  readonly dueAt: number;
  /** Null for a skipped one. */
  readonly requestedAt: number | null;
  readonly remindersSent: number;
  readonly settledAt: number | null;
  /** The payment that paid it. */
  readonly paymentId: string | null;
  /** The page the customer's mail leads to; null for a skipped one. */
  readonly paymentUrl: string | null;
  /** Every payment that was opened for it, newest first. */
  readonly attemptIds: readonly string[];
  /** Completed payments beyond the one that paid it. */
  readonly excessPaymentIds: readonly string[];
}

/** GET `merchant/recurring/:id/periods?mode=&offset=`, newest first. */
export interface PeriodPage {
  readonly periods: readonly PeriodInfo[];
  readonly total: number;
  readonly next: number | null;
}

/** POST `merchant/recurring`; answers the `ScheduleInfo`, 201. */
export interface NewScheduleBody {
  readonly mode: Mode;
  /** The same again, with the same key, makes no second one. */
  readonly requestId: string;
  readonly customerEmail: string;
  readonly description: string;
  readonly amount: string;
  readonly currency: string;
  readonly interval: IntervalName;
  readonly reference?: string;
  readonly crypto?: string;
  readonly startAt?: number;
  readonly maxPeriods?: number;
  readonly successUrl?: string;
}

/** POST `merchant/recurring/:id/pause`, `resume`, `cancel` or `resend-confirmation`; answers the `ScheduleInfo`. */
export interface ScheduleDecisionBody {
  readonly mode: Mode;
}
export type ScheduleDecisionName = 'pause' | 'resume' | 'cancel' | 'resend-confirmation';

/** POST `merchant/recurring/:id/simulate`, of test schedules; answers the `ScheduleInfo`. `to` goes with `advance_to` alone. */
export interface SimulateScheduleBody {
  readonly action: 'advance_to' | 'confirm' | 'bounce' | 'stop';
  readonly to?: number;
}
