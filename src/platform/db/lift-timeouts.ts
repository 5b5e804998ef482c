import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';

/**
 * Removes the statement and idle-in-transaction timeouts until the transaction ends. For commands
 * whose work grows with the database and for which only an operator waits: after a timeout, every
 * new attempt would time out too. Never for requests.
 */
export async function liftTimeouts(trx: Transaction<Database>): Promise<void> {
  await sql`select set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`.execute(trx);
}
