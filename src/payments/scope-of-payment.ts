import type { Kysely } from 'kysely';
import { type Database, whileDatabaseAnswers } from '../platform/db/index.ts';
import { isId } from '../platform/ids.ts';
import { type Scope, transactionNotFound } from './view/get-transaction.ts';

/**
 * The scope of a merchant's payment, for callers that have only its id. Throws
 * `TRANSACTION_NOT_FOUND`, also for another merchant's.
 */
export async function scopeOfPayment(
  db: Kysely<Database>,
  { merchantId, transactionId }: { readonly merchantId: string; readonly transactionId: string },
): Promise<Scope> {
  // Anything that is not an id may contain characters the database rejects.
  if (!isId('txn', transactionId)) throw transactionNotFound();
  const row = await whileDatabaseAnswers(() =>
    db
      .selectFrom('transaction')
      .select('mode')
      .where('id', '=', transactionId)
      .where('merchant_id', '=', merchantId)
      .executeTakeFirst(),
  );
  if (row === undefined) throw transactionNotFound();
  return { merchantId, mode: row.mode };
}
