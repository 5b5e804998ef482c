import type { Mode } from './desk.ts';

/** Recurring payment requests. Amounts are exact decimal text, times are Unix ms. */

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
  /** The merchant's own reference. */
  readonly reference: string | null;
  readonly customerEmail: string;
  /** Shown to the customer in every mail. */
  readonly description: string;
  readonly amount: string;
  readonly currency: string;
  readonly interval: IntervalName;
  readonly status: ScheduleStatusName;
  /** Null: the customer chooses. */
  readonly crypto: string | null;
  /** Requested due time of period 1; null for the time of the confirmation. */
  readonly startAt: number | null;
  /** Null: no last period. */
  readonly maxPeriods: number | null;
  readonly successUrl: string | null;
  readonly confirmationsSent: number;
  /** The newest period that was requested or skipped; 0 before the first. */
  readonly lastPeriodNo: number;
  /** Null while nothing will be requested. */
  readonly nextDueAt: number | null;
  readonly createdAt: number;
  /** Deadline for the customer's confirmation; null once that is decided. */
  readonly confirmBy: number | null;
  readonly confirmedAt: number | null;
  readonly endedAt: number | null;
  /** Its last period is over, as opposed to cancelled. */
  readonly isFinished: boolean;
}

/** GET `merchant/recurring?mode=&status=&reference=&offset=`, newest first. */
export interface SchedulePage {
  readonly schedules: readonly ScheduleInfo[];
  /** An operator has to approve the merchant before it can create requests in this mode. */
  readonly needsApproval: boolean;
  readonly total: number;
  /** Offset of the next page; null when there is none. */
  readonly next: number | null;
}

/** GET `merchant/recurring/:id?mode=`. */
export interface ScheduleDetail {
  readonly schedule: ScheduleInfo;
  /** The schedule's current time: test schedules can be ahead. */
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
  /** Null for a skipped period. */
  readonly requestedAt: number | null;
  readonly remindersSent: number;
  readonly settledAt: number | null;
  /** The payment that paid it. */
  readonly paymentId: string | null;
  /** The page that the customer's mail links to; null for a skipped period. */
  readonly paymentUrl: string | null;
  /** Every payment opened for it, newest first. */
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

/** POST `merchant/recurring`; returns the `ScheduleInfo`, 201. */
export interface NewScheduleBody {
  readonly mode: Mode;
  /** Idempotency key: a repeated request creates no second schedule. */
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

/**
 * POST `merchant/recurring/:id/pause`, `resume`, `cancel` or `resend-confirmation`; returns the
 * `ScheduleInfo`.
 */
export interface ScheduleDecisionBody {
  readonly mode: Mode;
}
export type ScheduleDecisionName = 'pause' | 'resume' | 'cancel' | 'resend-confirmation';

/**
 * POST `merchant/recurring/:id/simulate`, for test schedules; returns the `ScheduleInfo`. `to` is
 * only for `advance_to`.
 */
export interface SimulateScheduleBody {
  readonly action: 'advance_to' | 'confirm' | 'bounce' | 'stop';
  readonly to?: number;
}
