import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/db/index.ts';

/** The watch key of each payment's address, by transaction id. */
export async function findWatchKeys(
  db: Kysely<Database>,
  transactionIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; watch_key: string }>`
    select transaction.id, watch_key from transaction
    join address on address.network = transaction.network and address.address = transaction.deposit_address
    where transaction.id = any(${transactionIds}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row.watch_key]));
}
