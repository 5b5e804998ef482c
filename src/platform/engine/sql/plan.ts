import { sql, type Transaction } from 'kysely';
import { type Database, PREPARED } from '../../db/index.ts';

/**
 * Makes the query plans of this transaction independent of table statistics. Every statement of a
 * batch looks rows up by key, so nested loops over indexes are right at every size; on a table
 * without statistics yet, the planner would choose sequential scans and hash joins. Plans are
 * cached as generic plans, because planning costs more than running a statement for a few rows. JIT
 * is off: an unavoidable scan looks so expensive under `enable_seqscan = off` that the server would
 * compile it, which takes seconds with many partitions.
 */
export async function planByIndex(trx: Transaction<Database>): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('jit', 'off', true) ${PREPARED}`.execute(trx);
}
