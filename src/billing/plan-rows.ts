import type { Kysely, Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import { PLAN_TIERS, type PlanTier } from '../merchants/index.ts';
import type { Database } from '../platform/db/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { MINIMUM_USD_CENTS } from '../rates/index.ts';
import { type Plan, toPlan, toRow, withoutLimits } from './plan.ts';

/** Absent fields stay unchanged. */
export type PlanChanges = Partial<Omit<Plan, 'tier'>>;

/** All plans, lowest tier first; with plans disabled, a single one without limits. */
export async function listPlans({
  db,
  plansEnabled,
}: {
  readonly db: Kysely<Database>;
  readonly plansEnabled: boolean;
}): Promise<Plan[]> {
  const rows = await db.selectFrom('plan').selectAll().execute();
  const plans = rows.map(toPlan).sort((a, b) => PLAN_TIERS.indexOf(a.tier) - PLAN_TIERS.indexOf(b.tier));
  return plansEnabled ? plans : plans.filter(({ tier }) => tier === 'enterprise').map(withoutLimits);
}

/** Current prices and limits of a tier. Throws when the table has no row for it. */
export async function getPlan({ db }: { db: Kysely<Database> }, tier: PlanTier): Promise<Plan> {
  const row = await db.selectFrom('plan').selectAll().where('tier', '=', tier).executeTakeFirst();
  if (row === undefined) throw new Error(`the table "plan" has no row for ${tier}`);
  return toPlan(row);
}

/**
 * Changes the prices and limits of a tier, effective immediately for all merchants on it. Throws a
 * `TerminalError` `INVALID_PLAN` when the changed plan could not be sold.
 */
export async function changePlan(trx: Transaction<Database>, tier: PlanTier, changes: PlanChanges): Promise<Plan> {
  const row = await trx.selectFrom('plan').selectAll().where('tier', '=', tier).forUpdate().executeTakeFirstOrThrow();
  const plan = { ...toPlan(row), ...changes };
  requireSellable(plan);
  await trx.updateTable('plan').set(toRow(plan)).where('tier', '=', tier).execute();
  return plan;
}

/**
 * Assigns a plan to a merchant on the operator's behalf, immediately, replacing the current one.
 * Reapplying the provisioning file does not change it back. Throws a `TerminalError`
 * `UNKNOWN_MERCHANT`.
 */
export async function assignPlan(
  db: Kysely<Database>,
  { merchantName, tier, expiresAt }: { merchantName: string; tier: PlanTier; expiresAt: UnixMs | null },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('merchant')
    .set({
      plan: tier,
      plan_cycle: null,
      plan_expires_at: expiresAt === null ? null : new Date(expiresAt),
      plan_ends_on_day: null,
    })
    .where('name', '=', merchantName)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  throw new TerminalError(
    'UNKNOWN_MERCHANT',
    `There is no merchant "${merchantName}"; use the name from the provisioning file`,
  );
}

// Helpers

function requireSellable({ monthlyPriceCents, yearlyPriceCents }: Plan): void {
  for (const cents of [monthlyPriceCents, yearlyPriceCents]) {
    if (cents !== null && cents !== 0 && cents < MINIMUM_USD_CENTS) {
      throw new TerminalError(
        'INVALID_PLAN',
        'A price must be 0, or at least 1.00 USD: no smaller payment can be created',
      );
    }
  }
  if (monthlyPriceCents === null && yearlyPriceCents !== null) {
    throw new TerminalError('INVALID_PLAN', 'A plan with a yearly price needs a monthly one; both may be "custom"');
  }
}
