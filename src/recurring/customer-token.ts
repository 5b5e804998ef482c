import { type Kysely, sql } from 'kysely';
import { type Database, whileDatabaseAnswers } from '../db/index.ts';
import { currentStateOf } from '../engine/index.ts';
import { brandOf } from '../merchants/index.ts';
import type { ScheduleForCustomer } from './customer.ts';
import { type ScheduleRow, scheduleViewOf } from './schedule-rows.ts';
import { hashToken, isToken, type TokenPurpose } from './tokens.ts';

/** The schedule, and the period if any, that a token gives access to. */
export interface TokenHolder {
  readonly row: ScheduleRow & {
    readonly merchant_name: string;
    readonly merchant_settings: Readonly<Record<string, unknown>>;
    /** How far the schedule's clock is ahead of the wall clock, in ms. */
    readonly clock_offset_ms: number;
  };
  /** Null unless the token is for one period. */
  readonly periodNo: number | null;
}

/** What a token of this purpose gives access to; null if it is unknown or has another purpose. */
export async function findByToken(
  db: Kysely<Database>,
  purpose: TokenPurpose['purpose'],
  token: string,
): Promise<TokenHolder | null> {
  if (!isToken(token)) return null;
  const { rows } = await whileDatabaseAnswers(() =>
    sql<TokenHolder['row'] & { readonly period_no: number | null }>`
      select schedule.*, merchant.name as merchant_name, merchant.settings as merchant_settings, clock_offset_ms, schedule_token.period_no
      from schedule_token join schedule on schedule.id = schedule_id join merchant on merchant.id = schedule.merchant_id
        cross join lateral ${currentStateOf(sql`schedule.id`)} as actor
      where hash = ${hashToken(token)} and purpose = ${purpose}`.execute(db),
  );
  const [row] = rows;
  return row === undefined ? null : { row, periodNo: row.period_no };
}

export function toScheduleForCustomer(row: TokenHolder['row']): ScheduleForCustomer {
  const { currency_fiat: currencyFiat, status, interval } = scheduleViewOf(row);
  return {
    merchantName: row.merchant_name,
    brand: brandOf(row.merchant_settings),
    description: row.description,
    amountFiat: row.amount_fiat,
    currencyFiat,
    interval,
    status,
    isFinished: row.end_reason === 'finished',
    isTest: row.mode === 'test',
    startAt: row.start_at,
    maxPeriods: row.max_periods,
    nextDueAt: row.next_due_at,
  };
}
