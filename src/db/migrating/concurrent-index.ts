import { type Kysely, sql } from 'kysely';
import type { ConcurrentIndex } from './types.ts';

/**
 * Builds an index while the table is written to. An attempt that was cut short leaves an index that is kept up to date and
 * never used; it is removed first. `db` must be one connection outside of a transaction.
 *
 * It waits without limit for transactions that began before it, which blocks nobody: reading and writing do not queue
 * behind the lock it takes.
 */
export async function buildConcurrently(db: Kysely<unknown>, { name, statement }: ConcurrentIndex): Promise<void> {
  const { rows } = await sql<{ is_valid: boolean }>`
    select indisvalid as is_valid from pg_index where indexrelid = to_regclass(${name})`.execute(db);
  if (rows[0]?.is_valid === true) return;
  // For the session, because there is no transaction whose end would undo it.
  await sql`select set_config('statement_timeout', '0', false)`.execute(db);
  try {
    if (rows.length > 0) await sql`drop index concurrently ${sql.id(name)}`.execute(db);
    await sql.raw(statement).execute(db);
  } finally {
    await sql`reset statement_timeout`.execute(db).catch(() => {});
  }
}
