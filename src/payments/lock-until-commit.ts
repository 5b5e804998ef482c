import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/index.ts';

/**
 * Locks names of one kind until the transaction ends (advisory locks). Sorted, so that two batches
 * cannot deadlock; names with colliding lock keys only wait for each other.
 */
export async function lockUntilCommit(db: Kysely<Database>, kind: string, names: readonly string[]): Promise<void> {
  const keys = [...new Set(names.map((name) => lockKey(`${kind} of ${name}`)))].sort((a, b) => (a < b ? -1 : 1));
  await sql`
    select pg_advisory_xact_lock(key) from unnest(${keys.map(String)}::int8[]) with ordinality as wanted (key, place)
    order by place`.execute(db);
}

// Helpers

function lockKey(text: string): bigint {
  return createHash('sha256').update(text).digest().readBigInt64BE(0);
}
