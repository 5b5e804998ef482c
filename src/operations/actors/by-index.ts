import { type Kysely, sql, type Transaction } from 'kysely';
import { type Database, whileDatabaseAnswers } from '../../platform/db/index.ts';

/**
 * Runs reads in a transaction with sequential scans disabled. Each statement reads a narrow range,
 * but with stale or missing statistics the planner would prefer to scan the whole table.
 */
export function readByIndex<T>(db: Kysely<Database>, read: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  return whileDatabaseAnswers(() =>
    db.transaction().execute(async (trx) => {
      await sql`select set_config('enable_seqscan', 'off', true)`.execute(trx);
      return read(trx);
    }),
  );
}
