import type { CryptoSymbol, FiatCurrency, Interval, ScheduleStatus, UnixMs } from '../../machines/index.ts';
import type { ClockMove } from '../payments/index.ts';

/** The terms of a schedule, except for the amount. They never change. */
interface ScheduleTerms {
  /** The merchant's own reference. */
  readonly reference: string | null;
  readonly customerEmail: string;
  readonly interval: Interval;
  /** Shown to the customer in every email. */
  readonly description: string;
  /** Null: the customer chooses among the merchant's coins. */
  readonly crypto: CryptoSymbol | null;
  /** Requested due time of period 1; null to start when the customer confirms. */
  readonly startAt: UnixMs | null;
  /** Null: no last period. */
  readonly maxPeriods: number | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly successUrl: string | null;
}

/** A recurring payment request as the merchant creates it. */
export interface ScheduleRequest extends ScheduleTerms {
  /** In the fiat currency, as the merchant wrote it. */
  readonly amount: number;
  readonly currencyFiat: FiatCurrency;
}

/** How a schedule ended. `finished`: its last period has ended; the status then is `cancelled`. */
export type ScheduleEndReason = 'cancelled' | 'finished' | 'stopped_by_customer' | 'bounced' | 'unconfirmed';

/** A schedule as its merchant sees it. */
export interface ScheduleView extends ScheduleTerms {
  /** UUID (RFC 9562). */
  readonly id: string;
  /** Exact decimal. */
  readonly amount: string;
  readonly currency: FiatCurrency;
  readonly status: ScheduleStatus;
  readonly isTest: boolean;
  /** How many confirmation requests were sent. */
  readonly confirmationsSent: number;
  /** The newest requested or skipped period; 0 before the first. */
  readonly lastPeriodNo: number;
  /** Null while no period will be requested. */
  readonly nextDueAt: UnixMs | null;
  readonly createdAt: UnixMs;
  readonly confirmedAt: UnixMs | null;
  readonly endedAt: UnixMs | null;
  readonly endReason: ScheduleEndReason | null;
}

export const PERIOD_STATUSES = ['awaited', 'paid', 'unpaid', 'skipped'] as const;
export type PeriodStatus = (typeof PERIOD_STATUSES)[number];

/** One period that was requested or skipped. */
export interface PeriodView {
  readonly periodNo: number;
  readonly status: PeriodStatus;
  readonly dueAt: UnixMs;
  /** Null for a skipped period. */
  readonly requestedAt: UnixMs | null;
  readonly remindersSent: number;
  /** When it was paid or abandoned. */
  readonly settledAt: UnixMs | null;
  /** The payment that paid it. */
  readonly paymentId: string | null;
  /** The page the customer's email links to; null for a skipped period. */
  readonly paymentUrl: string | null;
  /** The payments opened for it, newest first. */
  readonly attemptIds: readonly string[];
  /** Completed payments in addition to the one that paid it: the customer paid twice. */
  readonly excessPaymentIds: readonly string[];
}

/** Newest first. `total` is of all pages. */
export interface SchedulePage {
  readonly schedules: readonly ScheduleView[];
  readonly total: number;
}

/** Newest first. `total` is of all pages. */
export interface PeriodPage {
  readonly periods: readonly PeriodView[];
  readonly total: number;
}

export interface ScheduleListRequest {
  readonly limit: number;
  readonly offset: number;
  readonly status: ScheduleStatus | null;
  readonly reference: string | null;
}

/** What a merchant can do with a schedule. */
export const SCHEDULE_DECISIONS = ['pause', 'resume', 'cancel', 'resend-confirmation'] as const;
export type ScheduleDecision = (typeof SCHEDULE_DECISIONS)[number];

export const DECISION_EVENTS = {
  pause: 'merchant.paused',
  resume: 'merchant.resumed',
  cancel: 'merchant.cancelled',
  'resend-confirmation': 'merchant.confirmation_resent',
} as const satisfies { readonly [D in ScheduleDecision]: string };

/** What can be simulated for a schedule of a test key: time, and what its customer does. */
export const SCHEDULE_SIMULATIONS = ['confirm', 'bounce', 'stop', 'advance_clock'] as const;
export type ScheduleSimulationName = (typeof SCHEDULE_SIMULATIONS)[number];

/** With a `ClockMove` for `advance_clock`, and for no other action. */
export interface ScheduleSimulation extends ClockMove {
  readonly action: ScheduleSimulationName;
}
