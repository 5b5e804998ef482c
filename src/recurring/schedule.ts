import type { CryptoSymbol, FiatCurrency, Interval, ScheduleStatus } from '../../machines/index.ts';

/** What a merchant asks a customer for, again and again. */
export interface ScheduleRequest {
  /** The merchant's own name for it. */
  readonly reference: string | null;
  readonly customerEmail: string;
  /** In the fiat currency, as the merchant wrote it. */
  readonly amount: number;
  readonly currencyFiat: FiatCurrency;
  readonly interval: Interval;
  /** What the customer reads in every mail. */
  readonly description: string;
  /** Null: the customer chooses among the merchant's coins. */
  readonly crypto: CryptoSymbol | null;
  /** ISO 8601; null: from the confirmation on. */
  readonly startAt: string | null;
  readonly maxPeriods: number | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly successUrl: string | null;
}

/** How a schedule ended. `finished`: its last period is over, which the status calls cancelled. */
export type ScheduleEndReason = 'cancelled' | 'finished' | 'stopped_by_customer' | 'bounced' | 'unconfirmed';

/** A schedule as the merchant sees it, with the names of the interface. Moments are ISO 8601 in UTC. */
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
  /** How often the customer was asked to confirm. */
  readonly confirmations_sent: number;
  /** The newest period that was requested or skipped; 0 before the first. */
  readonly last_period_no: number;
  /** Null while nothing will be requested. */
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
  /** Null for a skipped one. */
  readonly requested_at: string | null;
  readonly reminders_sent: number;
  /** When it was paid or given up. */
  readonly settled_at: string | null;
  /** The payment that paid it. */
  readonly transaction_id: string | null;
  /** The page that the customer's mail leads to; null for a skipped one. */
  readonly payment_url: string | null;
  /** The payments that were opened for it, newest first. */
  readonly attempts: readonly string[];
  /** Completed payments beyond the one that paid it: the customer has paid twice. */
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

/** The event that carries each out. */
export const DECISION_EVENTS = {
  pause: 'merchant.paused',
  resume: 'merchant.resumed',
  cancel: 'merchant.cancelled',
  'resend-confirmation': 'merchant.confirmation_resent',
} as const satisfies { readonly [D in ScheduleDecision]: string };

/** What the test clock and the test customer can do. Exactly one at a time. */
export type ScheduleSimulation =
  /** Lets time pass up to this moment (ISO 8601), everything due on the way happening in its order. */
  { readonly action: 'advance_to'; readonly to: string } | { readonly action: 'confirm' | 'bounce' | 'stop' };
