import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Locks names until the transaction ends (advisory locks). Sorted, so that two batches cannot
 * deadlock; names with colliding lock keys only wait for each other. All processes must use the
 * same names, also those of the version before.
 */
export async function lockUntilCommit(db: Kysely<Database>, names: readonly string[]): Promise<void> {
  const keys = [...new Set(names.map(lockKey))].sort((a, b) => (a < b ? -1 : 1));
  await sql`
    select pg_advisory_xact_lock(key) from unnest(${keys.map(String)}::int8[]) with ordinality as requested (key, index)
    order by index`.execute(db);
}

// Helpers

function lockKey(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE(0);
}
