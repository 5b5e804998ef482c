import { type Kysely, sql, type Transaction } from 'kysely';
import { type Database, whileDatabaseAnswers } from '../db/index.ts';

/**
 * Reads in a transaction whose plans use indexes wherever there is one. Its statements each read a narrow range, but a planner
 * whose statistics are old, or were never gathered, would sooner read the whole table.
 */
export function readByIndex<T>(db: Kysely<Database>, read: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  return whileDatabaseAnswers(() =>
    db.transaction().execute(async (trx) => {
      await sql`select set_config('enable_seqscan', 'off', true)`.execute(trx);
      return read(trx);
    }),
  );
}
