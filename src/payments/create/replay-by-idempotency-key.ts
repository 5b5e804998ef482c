import { type Kysely, sql } from 'kysely';
import { createBatchedLookup, type Database, unnestRows } from '../../platform/db/index.ts';
import { requireSameRequest } from '../../platform/require-same-request.ts';
import { getTransaction, type ReadDeps, type Scope } from '../view/get-transaction.ts';
import type { TransactionView } from '../view/merchant-view.ts';

/** The transaction that an idempotency key was used for. */
export interface Earlier {
  readonly id: string;
  /** Null when not read yet. */
  readonly requestHash: string | null;
}

/** Finds the transaction of a key; requests in one turn of the event loop share a query. */
export type FindByIdempotencyKey = (scope: Scope, key: string) => Promise<Earlier | null>;

export function createIdempotencyLookup(db: Kysely<Database>): FindByIdempotencyKey {
  const find = createBatchedLookup((keys) => findEarlier(db, keys));
  return ({ merchantId, mode }, key) => find(JSON.stringify([merchantId, mode, key]));
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

/** By the JSON of merchant, mode and key. */
async function findEarlier(db: Kysely<Database>, names: readonly string[]): Promise<Map<string, Earlier>> {
  const rows = names.map((name) => {
    const [merchant_id, mode, idempotency_key] = JSON.parse(name) as [string, string, string];
    return { name, merchant_id, mode, idempotency_key };
  });
  // The limit keeps the planner on the index, name by name, even without table statistics.
  const found = await sql<{ readonly name: string; readonly id: string; readonly request_hash: string | null }>`
    select requested.name, terms.id, terms.request_hash
    from ${unnestRows('requested', { text: ['name', 'merchant_id', 'mode', 'idempotency_key'] }, rows)}
    cross join lateral (
      select id, request_hash from transaction_terms
      where merchant_id = requested.merchant_id and mode = requested.mode and idempotency_key = requested.idempotency_key
      limit 1
    ) as terms`.execute(db);
  return new Map(found.rows.map(({ name, id, request_hash: requestHash }) => [name, { id, requestHash }]));
}

async function readHash({ db }: ReadDeps, id: string): Promise<string | null> {
  const row = await db.selectFrom('transaction_terms').select('request_hash').where('id', '=', id).executeTakeFirst();
  return row?.request_hash ?? null;
}
