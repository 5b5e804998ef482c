import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';

/**
 * Lifts the limits on a statement, and on the time between two, until the transaction ends. For commands whose work grows with the
 * database and has nobody waiting but the person who runs them: cut off by a limit, it would be cut off again at each new attempt.
 * Never for what a request does.
 */
export async function liftTimeouts(trx: Transaction<Database>): Promise<void> {
  await sql`select set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`.execute(trx);
}
