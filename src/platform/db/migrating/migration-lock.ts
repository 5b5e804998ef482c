import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';

/** The advisory lock of Kysely's migrator; no other of this database has its number. */
const MIGRATION_LOCK = '3853314791062309107';
const ASK_EVERY_MS = 250;

/**
 * Runs `work` while no other process migrates the schema. `db` must be one connection, because the
 * lock belongs to the session.
 *
 * The lock is polled instead of waited for: a waiting statement holds a snapshot, and a concurrent
 * index build waits for every older snapshot. The two would deadlock.
 */
export async function withMigrationLock<T>(
  db: Kysely<unknown>,
  onWait: (reason: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  for (let requested = 0; !(await tryLock(db)); requested += 1) {
    if (requested === 0) onWait('another process is migrating the database schema; waiting for it');
    await sleep(ASK_EVERY_MS);
  }
  try {
    return await work();
  } finally {
    // The server releases the lock when the connection is lost.
    await sql`select pg_advisory_unlock(${MIGRATION_LOCK}::int8)`.execute(db).catch(() => {});
  }
}

// Helpers

async function tryLock(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ got: boolean }>`
    select pg_try_advisory_lock(${MIGRATION_LOCK}::int8) as got`.execute(db);
  return rows[0]?.got === true;
}
