import type { Generated } from 'kysely';
import type { CryptoSymbol, FiatCurrency, Interval, Mode, ScheduleStatus } from '../../../../machines/index.ts';
import type { NullableJson, NullableTimestamp, Timestamp } from './columns.ts';

/**
 * A recurring payment request, as the API shows it. Written in the commits of its actor, which has
 * the same id.
 */
export interface ScheduleTable {
  /** UUID (RFC 9562). */
  id: string;
  merchant_id: string;
  mode: Mode;
  reference: string | null;
  customer_email: string;
  description: string;
  /** Exact decimal. */
  amount_fiat: string;
  currency_fiat: FiatCurrency;
  interval: Interval;
  /** Null when the customer chooses among the merchant's coins. */
  crypto: CryptoSymbol | null;
  start_at: NullableTimestamp;
  max_periods: number | null;
  metadata: NullableJson<Readonly<Record<string, unknown>>>;
  success_url: string | null;
  status: ScheduleStatus;
  /** Why it ended, in more detail than the status; null until then. */
  end_reason: string | null;
  confirmations_sent: number;
  last_period_no: number;
  /** Null when no further request is scheduled. */
  next_due_at: NullableTimestamp;
  idempotency_key: string | null;
  request_hash: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  confirmed_at: NullableTimestamp;
  ended_at: NullableTimestamp;
}

/** A processed period: requested, or skipped permanently. */
export interface SchedulePeriodTable {
  schedule_id: string;
  period_no: number;
  status: 'awaited' | 'paid' | 'unpaid' | 'skipped';
  due_at: Timestamp;
  requested_at: NullableTimestamp;
  reminders_sent: Generated<number>;
  /** When it was paid or marked unpaid. */
  settled_at: NullableTimestamp;
  /** The payment that paid it. */
  transaction_id: string | null;
}

/** A payment that was opened for a period; written in the commit that starts it. */
export interface ScheduleAttemptTable {
  transaction_id: string;
  schedule_id: string;
  period_no: number;
  /** True when it completed after another payment had paid the period. */
  is_excess: Generated<boolean>;
}

/** A link in an email and what it authorizes. The token itself is not stored. */
export interface ScheduleTokenTable {
  /** SHA-256 of the token, in hex. */
  hash: string;
  purpose: 'confirm' | 'stop' | 'pay';
  schedule_id: string;
  period_no: number | null;
}
