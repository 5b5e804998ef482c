import { sql, type Transaction } from 'kysely';
import type { Database } from '../../db/index.ts';

/**
 * Makes the plans of the running transaction independent of table statistics. Every statement of a batch looks rows
 * up by key, so index lookups in nested loops are right at every size; on a table that was filled a
 * moment ago the planner, still without statistics, would scan all of it and hash. As these plans are always right, they
 * are also kept: planning a statement anew costs more than running it for a few rows. Nor are they compiled: what has to be read without an
 * index all the same looks so costly then that the server would compile it, for seconds where there are many partitions.
 */
export async function planByIndex(trx: Transaction<Database>): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('jit', 'off', true)`.execute(trx);
}
