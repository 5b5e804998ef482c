import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';

/**
 * Runs reads in a transaction with sequential scans disabled. Each statement reads a narrow range,
 * but with stale or missing statistics the planner would prefer to scan the whole table.
 */
export function readByIndex<T>(db: Kysely<Database>, read: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await disableScans(trx);
    return read(trx);
  });
}

/**
 * Disables sequential scans for the rest of the transaction. JIT is off as well: a scan that cannot
 * be avoided looks so expensive then that the server would compile it, which takes seconds.
 */
export async function disableScans(trx: Transaction<Database>): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`.execute(trx);
}
