import type { CryptoSymbol, FiatCurrency, Interval, ScheduleStatus } from '../../machines/index.ts';
import type { ClockMove } from '../payments/index.ts';

/** A recurring payment request as the merchant creates it. */
export interface ScheduleRequest {
  /** The merchant's own reference. */
  readonly reference: string | null;
  readonly customerEmail: string;
  /** In the fiat currency, as the merchant wrote it. */
  readonly amount: number;
  readonly currencyFiat: FiatCurrency;
  readonly interval: Interval;
  /** Shown to the customer in every email. */
  readonly description: string;
  /** Null: the customer chooses among the merchant's coins. */
  readonly crypto: CryptoSymbol | null;
  /** ISO 8601; null to start when the customer confirms. */
  readonly startAt: string | null;
  readonly maxPeriods: number | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly successUrl: string | null;
}

/** How a schedule ended. `finished`: its last period has ended; the status then is `cancelled`. */
export type ScheduleEndReason = 'cancelled' | 'finished' | 'stopped_by_customer' | 'bounced' | 'unconfirmed';

/** A schedule as returned by the API. Times are ISO 8601 in UTC. */
export interface ScheduleView {
  readonly schedule_id: string;
  readonly reference: string | null;
  readonly customer_email: string;
  readonly description: string;
  /** Exact decimal. */
  readonly amount_fiat: string;
  readonly currency_fiat: FiatCurrency;
  readonly interval: Interval;
  readonly status: ScheduleStatus;
  readonly crypto: CryptoSymbol | null;
  readonly start_at: string | null;
  readonly max_periods: number | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly success_url: string | null;
  readonly is_test: boolean;
  /** How many confirmation requests were sent. */
  readonly confirmations_sent: number;
  /** The newest requested or skipped period; 0 before the first. */
  readonly last_period_no: number;
  /** Null while no period will be requested. */
  readonly next_due_at: string | null;
  readonly created_at: string;
  readonly confirmed_at: string | null;
  readonly ended_at: string | null;
  readonly end_reason: ScheduleEndReason | null;
}

export const PERIOD_STATUSES = ['awaited', 'paid', 'unpaid', 'skipped'] as const;
export type PeriodStatus = (typeof PERIOD_STATUSES)[number];

/** One period that was requested or skipped. */
export interface PeriodView {
  readonly period_no: number;
  readonly status: PeriodStatus;
  readonly due_at: string;
  /** Null for a skipped period. */
  readonly requested_at: string | null;
  readonly reminders_sent: number;
  /** When it was paid or given up. */
  readonly settled_at: string | null;
  /** The payment that paid it. */
  readonly transaction_id: string | null;
  /** The page the customer's email links to; null for a skipped period. */
  readonly payment_url: string | null;
  /** The payments opened for it, newest first. */
  readonly attempts: readonly string[];
  /** Completed payments in addition to the one that paid it: the customer paid twice. */
  readonly excess_transaction_ids: readonly string[];
}

export interface SchedulePage {
  readonly schedules: readonly ScheduleView[];
  readonly pagination: Pagination;
}

export interface PeriodPage {
  readonly periods: readonly PeriodView[];
  readonly pagination: Pagination;
}

export interface Pagination {
  readonly limit: number;
  readonly offset: number;
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

/** The chart event of each decision. */
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
