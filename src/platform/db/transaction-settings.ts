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

/**
 * Removes the statement and idle-in-transaction timeouts until the transaction ends. For commands
 * whose work grows with the database and for which only an operator waits: after a timeout, every
 * new attempt would time out too. Never for requests.
 */
export async function liftTimeouts(trx: Transaction<Database>): Promise<void> {
  await sql`select set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`.execute(trx);
}
