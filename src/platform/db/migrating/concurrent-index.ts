import { type Kysely, sql } from 'kysely';
import type { ConcurrentIndex } from './types.ts';

/**
 * Builds an index with `create index concurrently`. An interrupted build leaves an invalid index
 * that is maintained but never used; it is dropped first. `db` must be one connection outside of a
 * transaction.
 *
 * Waits without limit for transactions that began earlier, which blocks nothing: reads and writes
 * do not queue behind its lock.
 */
export async function buildConcurrently(db: Kysely<unknown>, { name, statement }: ConcurrentIndex): Promise<void> {
  const { rows } = await sql<{ is_valid: boolean }>`
    select indisvalid as is_valid from pg_index where indexrelid = to_regclass(${name})`.execute(db);
  if (rows[0]?.is_valid === true) return;
  // For the session, because no transaction's end would reset it.
  await sql`select set_config('statement_timeout', '0', false)`.execute(db);
  try {
    if (rows.length > 0) await sql`drop index concurrently ${sql.id(name)}`.execute(db);
    await sql.raw(statement).execute(db);
  } finally {
    await sql`reset statement_timeout`.execute(db).catch(() => {});
  }
}
