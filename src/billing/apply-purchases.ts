import { sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import { isPlanTier, type PlanTier } from '../merchants/index.ts';
import { type CompletionHook, type OperatorAlert, raiseOperatorAlerts } from '../payments/index.ts';
import { type Database, settleAll, unnestRows } from '../platform/db/index.ts';
import { buy, type HeldPlan } from './buying.ts';

/**
 * Assigns each buyer the plan it paid for, in the commit that completes the payment: exactly once.
 * Payments made with a test key change no plan. A payment that can no longer take effect (the buyer
 * has a higher plan by now) changes nothing and raises an operator alert: the operator has the
 * money.
 */
export const applyPurchases: CompletionHook = async (trx, completions) => {
  const paid = completions.filter(({ type, mode }) => type === 'billing' && mode === 'live');
  if (paid.length === 0) return;
  const purchases = await lockPurchases(
    trx,
    paid.map(({ transactionId }) => transactionId),
  );
  const given = new Map<string, HeldPlan>();
  const applied: AppliedPurchase[] = [];
  const alerts: OperatorAlert[] = [];
  for (const { transactionId, completedAt: at } of paid) {
    const purchase = purchases.find((each) => each.transactionId === transactionId);
    if (purchase === undefined) continue;
    const { merchantId, tier, months } = purchase;
    const before = given.get(merchantId) ?? purchase.held;
    const bought = buy(before, { tier, months }, at);
    if (bought.ok) {
      given.set(merchantId, bought.plan);
      applied.push({ transaction_id: transactionId, at });
    } else {
      const detail = `${merchantId} paid for ${months} months of ${tier} but already has ${before.tier} (${bought.problem})`;
      alerts.push({ actorId: transactionId, mode: 'live', alert: 'plan_purchase_without_effect', detail });
    }
  }
  await settleAll([savePlans(trx, [...given]), markApplied(trx, applied), raiseOperatorAlerts(trx, alerts)]);
};

// Helpers

interface PaidPurchase {
  readonly transactionId: string;
  readonly merchantId: string;
  readonly tier: PlanTier;
  readonly months: number;
  readonly held: HeldPlan;
}

interface AppliedPurchase {
  readonly transaction_id: string;
  readonly at: UnixMs;
}

/**
 * Locks buyers in the order of their ids, so that two batches cannot deadlock, and reads their
 * plans once the locks are held.
 */
async function lockPurchases(trx: Transaction<Database>, transactionIds: readonly string[]): Promise<PaidPurchase[]> {
  const { rows } = await sql<PurchaseRow>`
    select transaction_id as "transactionId", merchant_id as "merchantId", tier, billing_months as months, plan,
      plan_cycle as cycle, plan_expires_at as "expiresAt", plan_ends_on_day as "endsOnDay"
    from plan_purchase join merchant on merchant.id = plan_purchase.merchant_id
    where transaction_id = any(${transactionIds}::text[]) and applied_at is null
    order by merchant.id for no key update of merchant`.execute(trx);
  return rows.map(({ tier, plan, cycle, expiresAt, endsOnDay, ...purchase }) => {
    return { ...purchase, tier: tierOf(tier), held: { tier: tierOf(plan), cycle, expiresAt, endsOnDay } };
  });
}

interface PurchaseRow extends Omit<PaidPurchase, 'tier' | 'held'>, Omit<HeldPlan, 'tier'> {
  readonly tier: string;
  readonly plan: string;
}

/** A tier unknown to this version counts as the lowest. */
function tierOf(text: string): PlanTier {
  return isPlanTier(text) ? text : 'starter';
}

const PLAN_COLUMNS = { text: ['id', 'tier', 'cycle'], timestamptz: ['expires_at'], int4: ['ends_on_day'] } as const;

async function savePlans(trx: Transaction<Database>, plans: readonly (readonly [string, HeldPlan])[]): Promise<void> {
  if (plans.length === 0) return;
  const rows = plans.map(([id, plan]) => ({ ...plan, id, expires_at: plan.expiresAt, ends_on_day: plan.endsOnDay }));
  await sql`
    update merchant set plan = next.tier, plan_cycle = next.cycle,
      plan_expires_at = next.expires_at, plan_ends_on_day = next.ends_on_day
    from ${unnestRows('next', PLAN_COLUMNS, rows)}
    where merchant.id = next.id`.execute(trx);
}

async function markApplied(trx: Transaction<Database>, applied: readonly AppliedPurchase[]): Promise<void> {
  if (applied.length === 0) return;
  await sql`
    update plan_purchase set applied_at = done.at
    from ${unnestRows('done', { text: ['transaction_id'], timestamptz: ['at'] }, applied)}
    where plan_purchase.transaction_id = done.transaction_id`.execute(trx);
}
