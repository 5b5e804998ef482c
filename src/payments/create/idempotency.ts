import { whileDatabaseAnswers } from '../../platform/db/index.ts';
import { requireSameRequest } from '../../platform/idempotency.ts';
import { getTransaction, type ReadDeps, type Scope } from '../view/get-transaction.ts';
import type { TransactionView } from '../view/view.ts';

/** The transaction that an idempotency key was used for. */
export interface Earlier {
  readonly id: string;
  /** Null when not read yet. */
  readonly requestHash: string | null;
}

export async function findByIdempotencyKey({ db }: ReadDeps, scope: Scope, key: string): Promise<Earlier | null> {
  const row = await whileDatabaseAnswers(() =>
    db
      .selectFrom('transaction_terms')
      .select(['id', 'request_hash'])
      .where('merchant_id', '=', scope.merchantId)
      .where('mode', '=', scope.mode)
      .where('idempotency_key', '=', key)
      .executeTakeFirst(),
  );
  return row === undefined ? null : { id: row.id, requestHash: row.request_hash };
}

/** The earlier transaction as it is now. Throws `IDEMPOTENCY_CONFLICT` when the request differs. */
export async function replay(
  deps: ReadDeps,
  scope: Scope,
  earlier: Earlier,
  requestHash: string,
): Promise<TransactionView<string>> {
  const { id } = earlier;
  const hash = earlier.requestHash ?? (await readHash(deps, id));
  requireSameRequest(hash, requestHash, 'payment');
  return getTransaction(deps, scope, id);
}

// Helpers

async function readHash({ db }: ReadDeps, id: string): Promise<string | null> {
  const row = await whileDatabaseAnswers(() =>
    db.selectFrom('transaction_terms').select('request_hash').where('id', '=', id).executeTakeFirst(),
  );
  return row?.request_hash ?? null;
}
