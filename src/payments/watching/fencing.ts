import { type Kysely, sql, type UpdateObject } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { RetryableError } from '../../platform/errors.ts';

/** Every new watcher of a network acquires a later epoch; only the latest may write. */
export interface FencingToken {
  readonly network: string;
  readonly epoch: number;
}

/**
 * Locks a watcher's fencing token (epoch) until the transaction ends: a successor's `nextEpoch`
 * waits for it. So the successor finds everything written under it, and nothing is written under it
 * later. Throws a `RetryableError` `WATCHER_FENCED` when there is a successor already.
 */
export async function requireFencingToken(trx: Kysely<Database>, token: FencingToken): Promise<void> {
  const { rows } = await sql`
    select from chain_cursor where network = ${token.network} and epoch = ${token.epoch} for share`.execute(trx);
  if (rows.length === 0) throw fenced(token.network);
}

/**
 * Changes the cursor of a watcher's network, only under its fencing token, and returns the era of
 * its balances. Throws a `RetryableError` `WATCHER_FENCED`, and changes nothing, when there is a
 * successor already.
 */
export async function updateFencedCursor(
  trx: Kysely<Database>,
  token: FencingToken,
  columns: UpdateObject<Database, 'chain_cursor'>,
): Promise<number> {
  const updated = await trx
    .updateTable('chain_cursor')
    .set(columns)
    .where('network', '=', token.network)
    .where('epoch', '=', token.epoch)
    .returning('balance_era')
    .executeTakeFirst();
  if (updated === undefined) throw fenced(token.network);
  return updated.balance_era;
}

// Helpers

/** Another process watches the network now. */
function fenced(network: string): RetryableError {
  return new RetryableError(
    'WATCHER_FENCED',
    `another process now watches ${network}; this one restarts. Run one watcher per network and database`,
  );
}
