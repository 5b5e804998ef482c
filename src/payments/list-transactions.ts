import type { CryptoSymbol, TransactionStatus } from '../../machines/index.ts';
import { whileDatabaseAnswers } from '../db/index.ts';
import type { ReadDeps, Scope } from './get-transaction.ts';
import { toViews, VIEW_COLUMNS } from './read-views.ts';
import type { TransactionView } from './view.ts';

export interface ListRequest {
  readonly limit: number;
  readonly offset: number;
  readonly status?: TransactionStatus;
  readonly crypto?: CryptoSymbol;
  /** Only these; unknown ones are skipped. */
  readonly ids?: readonly string[];
}

export interface TransactionPage {
  readonly transactions: TransactionView[];
  readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number };
}

/** A page of transactions, newest first. */
export async function listTransactions(deps: ReadDeps, scope: Scope, request: ListRequest): Promise<TransactionPage> {
  const { limit, offset, status, crypto, ids } = request;
  // `in ()` is not SQL, and the answer is known.
  if (ids?.length === 0) return { transactions: [], pagination: { limit, offset, total: 0 } };
  return whileDatabaseAnswers(async () => {
    let matching = deps.db
      .selectFrom('transaction')
      .where('merchant_id', '=', scope.merchantId)
      .where('mode', '=', scope.mode);
    if (status !== undefined) matching = matching.where('status', '=', status);
    if (crypto !== undefined) matching = matching.where('crypto', '=', crypto);
    if (ids !== undefined) matching = matching.where('id', 'in', [...ids]);
    const page = matching.select(VIEW_COLUMNS).orderBy('created_at', 'desc').orderBy('id', 'desc');
    const rows = await page.limit(limit).offset(offset).execute();
    const counted = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { transactions: await toViews(deps, rows), pagination: { limit, offset, total: counted.total } };
  });
}
