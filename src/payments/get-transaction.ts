import type { Kysely } from 'kysely';
import { type Database, whileDatabaseAnswers } from '../db/index.ts';
import { TerminalError } from '../errors.ts';
import { toViews, VIEW_COLUMNS } from './read-views.ts';
import type { TransactionView } from './view.ts';

export interface ReadDeps {
  readonly db: Kysely<Database>;
  readonly publicUrl: string;
}

/** Whose transactions are visible: a merchant's own, of the mode of the key that asks. */
export interface Scope {
  readonly merchantId: string;
  readonly mode: 'live' | 'test';
}

/** One transaction. Throws `TRANSACTION_NOT_FOUND`, also for somebody else's. */
export async function getTransaction(
  deps: ReadDeps,
  scope: Scope,
  transactionId: string,
): Promise<TransactionView<string>> {
  const views = await whileDatabaseAnswers(async () => {
    const rows = await deps.db
      .selectFrom('transaction')
      .select(VIEW_COLUMNS)
      .where('id', '=', transactionId)
      .where('merchant_id', '=', scope.merchantId)
      .where('mode', '=', scope.mode)
      .execute();
    return toViews(deps, rows);
  });
  const [view] = views;
  if (view === undefined) throw transactionNotFound();
  return view;
}

export function transactionNotFound(): TerminalError {
  return new TerminalError('TRANSACTION_NOT_FOUND', 'No transaction has this id');
}
