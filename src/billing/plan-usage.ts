import { type Kysely, sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Database } from '../platform/db/index.ts';
import { monthOf } from './months.ts';
import { type Plan, type PlanRow, toPlan } from './plan.ts';

/** A merchant's current plan and its usage. */
export interface PlanUsage {
  readonly plan: Plan;
  /** Billing cycle it was bought with; null when the operator assigned it. */
  readonly cycle: 'monthly' | 'yearly' | null;
  /** Null: it does not expire. */
  readonly expiresAt: UnixMs | null;
  /** See `HeldPlan`. */
  readonly endsOnDay: number | null;
  /** Payments that count toward this month's limit. */
  readonly used: number;
  /** The month in which a limit was first reached, such as `2026-11`; null when never. */
  readonly limitFirstReachedIn: string | null;
}

/** Plan and usage of each merchant that has a plan, by id; one query for all. */
export async function readPlanUsage(
  db: Kysely<Database> | Transaction<Database>,
  merchantIds: readonly string[],
  now: UnixMs,
): Promise<Map<string, PlanUsage>> {
  const { rows } = await sql<PlanUsageRow>`
    select merchant.id, plan_cycle, plan_expires_at, plan_ends_on_day, limit_first_reached_in, plan.*, coalesce(used, 0) as used
    from merchant join plan on plan.tier = merchant.plan
    left join monthly_usage on monthly_usage.merchant_id = merchant.id and month = ${monthOf(now)}
    where merchant.id = any(${merchantIds}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, toUsage(row)]));
}

// Helpers

interface PlanUsageRow extends PlanRow {
  readonly id: string;
  readonly plan_cycle: 'monthly' | 'yearly' | null;
  readonly plan_expires_at: number | null;
  readonly plan_ends_on_day: number | null;
  readonly limit_first_reached_in: string | null;
  readonly used: number;
}

function toUsage(row: PlanUsageRow): PlanUsage {
  return {
    plan: toPlan(row),
    cycle: row.plan_cycle,
    expiresAt: row.plan_expires_at,
    endsOnDay: row.plan_ends_on_day,
    used: row.used,
    limitFirstReachedIn: row.limit_first_reached_in,
  };
}
