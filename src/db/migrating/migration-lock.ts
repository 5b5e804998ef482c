import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';

/** The advisory lock that Kysely's own migrator takes, so that a version that still used it cannot work beside this one. */
const MIGRATION_LOCK = '3853314791062309107';
const ASK_EVERY_MS = 250;

/**
 * Does `work` while no other process changes the schema. `db` must be one connection, because the lock is the session's.
 *
 * It is asked for again and again instead of waited for: a statement that waits holds a snapshot, and an index that is built
 * concurrently waits for every snapshot older than itself. The two would wait for each other.
 */
export async function withMigrationLock<T>(
  db: Kysely<unknown>,
  onWait: (reason: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  for (let asked = 0; !(await tryLock(db)); asked += 1) {
    if (asked === 0) onWait('another process is changing the database schema; waiting for it');
    await sleep(ASK_EVERY_MS);
  }
  try {
    return await work();
  } finally {
    // Of a connection that broke, the server has taken it back already.
    await sql`select pg_advisory_unlock(${MIGRATION_LOCK}::int8)`.execute(db).catch(() => {});
  }
}

// Helpers

async function tryLock(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ got: boolean }>`
    select pg_try_advisory_lock(${MIGRATION_LOCK}::int8) as got`.execute(db);
  return rows[0]?.got === true;
}
