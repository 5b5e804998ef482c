import { onlyReadable } from '../../platform/db/index.ts';
import type { ReadDeps, Scope } from '../view/get-transaction.ts';
import { viewOf, withPayments } from '../view/read-views.ts';
import type { TransactionView } from '../view/view.ts';
import { VIEW_COLUMNS } from '../view/view.ts';
import { type ListRequest, listStatement } from './list-statement.ts';

export type { ListRequest } from './list-statement.ts';

export interface TransactionPage {
  readonly transactions: TransactionView<string>[];
  readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number };
}

/** A page of transactions, newest first. */
export async function listTransactions(deps: ReadDeps, scope: Scope, request: ListRequest): Promise<TransactionPage> {
  const { limit, offset } = request;
  const { rows } = await withPayments(listStatement(scope, request, VIEW_COLUMNS)).execute(deps.db);
  const [first] = rows;
  if (first === undefined) throw new Error('a list has no total');
  const found = await onlyReadable(deps.db, rows.filter(isTransaction), ({ id }) => ({
    actorId: id,
    what: 'a payment in lists',
  }));
  const transactions = found.map((row) => viewOf(row, deps.publicUrl));
  return { transactions, pagination: { limit, offset, total: first.total } };
}

// Helpers

function isTransaction<Row extends { readonly id: string | null }>(row: Row): row is Row & { readonly id: string } {
  return row.id !== null;
}
