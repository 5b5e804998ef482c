import { whileDatabaseAnswers } from '../db/index.ts';
import type { ReadDeps, Scope } from './get-transaction.ts';
import { type ListedRow, type ListRequest, listStatement } from './list-statement.ts';
import { toViews, VIEW_COLUMNS } from './read-views.ts';
import type { TransactionRow, TransactionView } from './view.ts';

export type { ListRequest } from './list-statement.ts';

export interface TransactionPage {
  readonly transactions: TransactionView<string>[];
  readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number };
}

/** A page of transactions, newest first. */
export async function listTransactions(deps: ReadDeps, scope: Scope, request: ListRequest): Promise<TransactionPage> {
  const { limit, offset } = request;
  return whileDatabaseAnswers(async () => {
    const { rows } = await listStatement(scope, request, VIEW_COLUMNS).execute(deps.db);
    const [first] = rows;
    if (first === undefined) throw new Error('a list has no total');
    const listed = rows.filter(isTransaction);
    return { transactions: await toViews(deps, listed), pagination: { limit, offset, total: first.total } };
  });
}

// Helpers

function isTransaction(row: ListedRow): row is ListedRow & TransactionRow {
  return row.id !== null;
}
