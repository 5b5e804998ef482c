import { sql } from 'kysely';
import type { Completion, CompletionHook } from '../payments/index.ts';
import { monthOf } from './months.ts';

/**
 * Counts payments toward the month they complete in, in the commit that completes them. Nothing counts that moved no coins
 * or was paid to the operator for the service itself. Rows are locked in the order of their keys, so that batches of
 * several processes wait for each other instead of deadlocking. While plans are off, payments are counted all the same, but
 * there is no limit that could be reached.
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
  const counts = new Map<string, Count>();
  for (const { merchantId, completedAt } of completions.filter(countsTowardLimit)) {
    const month = monthOf(completedAt);
    const key = `${merchantId} ${month}`;
    counts.set(key, { merchantId, month, done: (counts.get(key)?.done ?? 0) + 1 });
  }
  if (counts.size === 0) return;
  const rows = [...counts.values()];
  // Reaching the limit for the first time ever is a fact of this moment: a later plan or price list must not change it.
  await sql`
    with counted as (
      insert into monthly_usage (merchant_id, month, used)
      select merchant_id, month, done
      from unnest(
        ${rows.map(({ merchantId }) => merchantId)}::text[], ${rows.map(({ month }) => month)}::text[],
        ${rows.map(({ done }) => done)}::int8[]
      ) as fresh (merchant_id, month, done)
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

interface Count {
  readonly merchantId: string;
  readonly month: string;
  readonly done: number;
}
