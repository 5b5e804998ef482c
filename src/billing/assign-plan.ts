import type { Kysely } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Database } from '../platform/db/index.ts';
import { TerminalError } from '../platform/errors.ts';
import type { PlanTier } from '../platform/plan-tiers.ts';

/**
 * Gives a merchant a plan on the operator's behalf, effective immediately, replacing the current
 * one. Reapplying the provisioning file does not change it back. Throws a `TerminalError`
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
  throw new TerminalError('UNKNOWN_MERCHANT', `There is no merchant "${merchantName}"; names are as in its file`);
}
