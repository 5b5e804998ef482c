import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { RetryableError } from '../../platform/errors.ts';

/**
 * Locks a watcher's fencing token (epoch) until the transaction ends: a successor's `nextEpoch`
 * waits for it. So the successor finds everything written under it, and nothing is written under it
 * later. Throws a `RetryableError` `WATCHER_FENCED` when there is a successor already.
 */
export async function requireFencingToken(
  trx: Kysely<Database>,
  token: { readonly network: string; readonly epoch: number },
) {
  const { rows } = await sql`
    select from chain_cursor where network = ${token.network} and epoch = ${token.epoch} for share`.execute(trx);
  if (rows.length === 0) throw fenced(token.network);
}

/** Another process watches the network now. */
export function fenced(network: string): RetryableError {
  return new RetryableError(
    'WATCHER_FENCED',
    `another process now watches ${network}; this one restarts. Run one watcher per network and database`,
  );
}
