import { type Kysely, sql } from 'kysely';
import type { Mode } from '../../../machines/index.ts';
import { createBatchedLookup, type Database, unnestRows } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { type TransactionView, VIEW_COLUMNS } from './merchant-view.ts';
import { type ViewRow, viewOf, withPayments } from './read-views.ts';

export interface ReadDeps {
  readonly db: Kysely<Database>;
  readonly publicUrl: string;
}

/** Which transactions are visible: a merchant's own, in the mode of the caller's key. */
export interface Scope {
  readonly merchantId: string;
  readonly mode: Mode;
}

export interface TransactionReader {
  /**
   * One transaction. Throws `TRANSACTION_NOT_FOUND`, also for another merchant's; rejects with
   * `RetryableError` without a database.
   */
  get(scope: Scope, transactionId: string): Promise<TransactionView<string>>;
}

/** Reads transactions, each in its own scope; requests in one event-loop turn share a query. */
export function createTransactionReader(deps: ReadDeps): TransactionReader {
  const rowOf = createBatchedLookup((keys) => findRows(deps.db, keys));
  return {
    async get(scope, transactionId) {
      const row = await rowOf(keyOf(scope, transactionId));
      if (row === null) throw transactionNotFound();
      return viewOf(row, deps.publicUrl);
    },
  };
}

/** The same for occasional callers. */
export function getTransaction(deps: ReadDeps, scope: Scope, transactionId: string): Promise<TransactionView<string>> {
  return createTransactionReader(deps).get(scope, transactionId);
}

export function transactionNotFound(): TerminalError {
  return new TerminalError('TRANSACTION_NOT_FOUND', 'No transaction has this id');
}

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
  const row = await db
    .selectFrom('transaction')
    .select('mode')
    .where('id', '=', transactionId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  if (row === undefined) throw transactionNotFound();
  return { merchantId, mode: row.mode };
}

// Helpers

interface FoundRow extends ViewRow {
  readonly merchant_id: string;
  readonly mode: Mode;
}

function keyOf({ merchantId, mode }: Scope, transactionId: string): string {
  return `${merchantId} ${mode} ${transactionId}`;
}

async function findRows(db: Kysely<Database>, keys: readonly string[]): Promise<Map<string, FoundRow>> {
  const requested = keys.map((key) => {
    const [merchant_id = '', mode = '', id = ''] = key.split(' ');
    return { merchant_id, mode, id };
  });
  const columns = sql.join(['merchant_id', 'mode', ...VIEW_COLUMNS].map((column) => sql.ref(column)));
  // The limit keeps the planner on the primary key, row by row, even without table statistics.
  const found = sql<FoundRow>`
    select transaction.*
    from ${unnestRows('requested', { text: ['merchant_id', 'mode', 'id'] }, requested)}
    cross join lateral (
      select ${columns} from transaction
      where id = requested.id and merchant_id = requested.merchant_id and mode = requested.mode
      limit 1
    ) as transaction`;
  const { rows } = await withPayments(found).execute(db);
  return new Map(rows.map((row) => [keyOf({ merchantId: row.merchant_id, mode: row.mode }, row.id), row]));
}
