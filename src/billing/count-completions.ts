import { type Selectable, sql } from 'kysely';
import type { Completion, CompletionHook } from '../payments/index.ts';
import { type Database, insertUnnested } from '../platform/db/index.ts';
import { monthOf } from './months.ts';

/**
 * Counts payments toward the month they complete in, in the commit that completes them. Payments
 * that moved no coins, or that paid the operator for the service, do not count. Rows are locked in
 * key order, so that batches of several processes wait for each other instead of deadlocking. With
 * plans disabled payments are still counted, but no limit can be reached.
 */
export function createCompletionCounter({ plansEnabled }: { plansEnabled: boolean }): CompletionHook {
  return (trx, completions) => countCompletions(trx, completions, plansEnabled);
}

// Helpers

async function countCompletions(
  trx: Parameters<CompletionHook>[0],
  completions: readonly Completion[],
  plansEnabled: boolean,
): Promise<void> {
  const counts = new Map<string, Selectable<Database['monthly_usage']>>();
  for (const { merchantId: merchant_id, completedAt } of completions.filter(countsTowardLimit)) {
    const month = monthOf(completedAt);
    const key = `${merchant_id} ${month}`;
    counts.set(key, { merchant_id, month, used: (counts.get(key)?.used ?? 0) + 1 });
  }
  if (counts.size === 0) return;
  // Recorded now, when a limit is reached for the first time ever: later plans or limits must not
  // change it.
  await sql`
    with counted as (
      ${insertUnnested('monthly_usage', { text: ['merchant_id', 'month'], int8: ['used'] }, [...counts.values()])}
      order by merchant_id, month
      on conflict (merchant_id, month) do update set used = monthly_usage.used + excluded.used
      returning merchant_id, month, used
    )
    update merchant set limit_first_reached_in = counted.month
    from counted, plan
    where merchant.id = counted.merchant_id and plan.tier = merchant.plan and limit_first_reached_in is null
      and counted.used >= plan.monthly_transaction_limit and ${plansEnabled}::boolean`.execute(trx);
}

function countsTowardLimit({ type, simulated }: Pick<Completion, 'type' | 'simulated'>): boolean {
  return type !== 'billing' && !simulated;
}
