import type { Kysely } from 'kysely';
import { type Database, whileDatabaseAnswers } from '../db/index.ts';
import { isId } from '../ids.ts';
import { type Scope, transactionNotFound } from './get-transaction.ts';

/** The scope a merchant's payment lies in, for whoever has only its id. Throws `TRANSACTION_NOT_FOUND`, also for somebody else's. */
export async function scopeOfPayment(
  db: Kysely<Database>,
  { merchantId, transactionId }: { readonly merchantId: string; readonly transactionId: string },
): Promise<Scope> {
  // What cannot be an id may hold what the database cannot read.
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
