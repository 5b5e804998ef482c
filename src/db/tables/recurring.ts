import type { Generated } from 'kysely';
import type { Interval, ScheduleStatus } from '../../../machines/index.ts';
import type { Moment, NullableJson, NullableMoment } from './columns.ts';

/** A recurring payment request, as the interface shows it. Written by the commits of its actor, which has the same id. */
export interface ScheduleTable {
  /** UUID (RFC 9562). */
  id: string;
  merchant_id: string;
  mode: 'live' | 'test';
  reference: string | null;
  customer_email: string;
  description: string;
  /** Exact decimal. */
  amount_fiat: string;
  currency_fiat: string;
  interval: Interval;
  /** Null: whoever pays chooses among the merchant's coins. */
  crypto: string | null;
  start_at: NullableMoment;
  max_periods: number | null;
  metadata: NullableJson<Readonly<Record<string, unknown>>>;
  success_url: string | null;
  status: ScheduleStatus;
  /** How it ended, in more detail than the status; null while it has not. */
  end_reason: string | null;
  confirmations_sent: number;
  last_period_no: number;
  /** Null while nothing will be requested. */
  next_due_at: NullableMoment;
  idempotency_key: string | null;
  request_hash: string | null;
  created_at: Moment;
  updated_at: Moment;
  confirmed_at: NullableMoment;
  ended_at: NullableMoment;
}

/** A period that was dealt with: requested, or skipped for good. */
export interface SchedulePeriodTable {
  schedule_id: string;
  period_no: number;
  status: 'awaited' | 'paid' | 'unpaid' | 'skipped';
  due_at: Moment;
  requested_at: NullableMoment;
  reminders_sent: Generated<number>;
  /** When it was paid or given up. */
  settled_at: NullableMoment;
  /** The payment that paid it. */
  transaction_id: string | null;
}

/** A payment that was opened for a period; written in the commit that starts it. */
export interface ScheduleAttemptTable {
  transaction_id: string;
  schedule_id: string;
  period_no: number;
  /** It completed after another one had paid the period. */
  is_excess: Generated<boolean>;
}

/** What a link in a mail may do. The token itself is nowhere stored. */
export interface ScheduleTokenTable {
  /** SHA-256 of the token, in hex. */
  hash: string;
  purpose: 'confirm' | 'stop' | 'pay';
  schedule_id: string;
  period_no: number | null;
}
