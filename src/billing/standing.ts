import { type Kysely, sql, type Transaction } from 'kysely';
import { DAY_MS, type UnixMs } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';
import { monthOf } from './months.ts';
import { type Plan, type PlanRow, toPlan } from './plan.ts';

/** Where a merchant stands: the plan in force and what is used of it. */
export interface Standing {
  readonly plan: Plan;
  /** How it was bought; null when it was given. */
  readonly cycle: 'monthly' | 'yearly' | null;
  /** Null: it does not end. */
  readonly expiresAt: UnixMs | null;
  /** See `HeldPlan`. */
  readonly endsOnDay: number | null;
  /** Payments that count toward this month's limit. */
  readonly used: number;
  /** The month in which a limit was reached for the first time ever, like `2026-11`. */
  readonly limitFirstReachedIn: string | null;
}

/** A paid plan goes on for this long after its end, so that nobody loses a sale to a forgotten renewal. */
export const GRACE_MS = 7 * DAY_MS;
/** Payments beyond the limit in the month in which an account reaches it for the first time ever. */
export const FIRST_TIME_EXTRA = 5;

/** The grace is over as well: nothing new can be started. */
export function hasLapsed({ expiresAt }: Pick<Standing, 'expiresAt'>, now: UnixMs): boolean {
  return expiresAt !== null && now >= expiresAt + GRACE_MS;
}

/**
 * How many completed payments of this month end the taking of new ones; null without bound. While a limit was never
 * reached, or this is the month in which it was, there are a few more.
 */
export function allowanceOf({ plan, limitFirstReachedIn }: Standing, now: UnixMs): number | null {
  const { monthlyTransactionLimit: limit } = plan;
  if (limit === null) return null;
  const isFirstTime = limitFirstReachedIn === null || limitFirstReachedIn === monthOf(now);
  return isFirstTime ? limit + FIRST_TIME_EXTRA : limit;
}

/** The standing of each merchant that has a plan, by id: one query, however many. */
export async function readStandings(
  db: Kysely<Database> | Transaction<Database>,
  merchantIds: readonly string[],
  now: UnixMs,
): Promise<Map<string, Standing>> {
  const { rows } = await sql<StandingRow>`
    select merchant.id, plan_cycle, plan_expires_at, plan_ends_on_day, limit_first_reached_in, plan.*, coalesce(used, 0) as used
    from merchant join plan on plan.tier = merchant.plan
    left join monthly_usage on monthly_usage.merchant_id = merchant.id and month = ${monthOf(now)}
    where merchant.id = any(${merchantIds}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, toStanding(row)]));
}

// Helpers

interface StandingRow extends PlanRow {
  readonly id: string;
  readonly plan_cycle: 'monthly' | 'yearly' | null;
  readonly plan_expires_at: number | null;
  readonly plan_ends_on_day: number | null;
  readonly limit_first_reached_in: string | null;
  readonly used: number;
}

function toStanding(row: StandingRow): Standing {
  return {
    plan: toPlan(row),
    cycle: row.plan_cycle,
    expiresAt: row.plan_expires_at,
    endsOnDay: row.plan_ends_on_day,
    used: row.used,
    limitFirstReachedIn: row.limit_first_reached_in,
  };
}
