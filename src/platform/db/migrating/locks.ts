import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { TerminalError } from '../../errors.ts';
import { classifyDatabaseError } from '../failures.ts';
import type { MigrateOptions } from './types.ts';

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

/**
 * Runs `work` in a transaction with a short `lock_timeout`, and reruns it after a delay when a lock
 * was not available. Throws a `TerminalError` `SCHEMA_LOCKED` when all attempts failed; nothing was
 * changed then.
 */
export async function inTransactionWithLockRetries(
  db: Kysely<unknown>,
  { onWait = () => {}, lockTimeoutMs = LOCK_TIMEOUT_MS, pausesMs = PAUSES_MS }: MigrateOptions,
  work: (trx: Transaction<unknown>) => Promise<void>,
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await db.transaction().execute(async (trx) => {
        // The migration itself may take long; `local` settings end with the transaction.
        await sql`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true),
          set_config('statement_timeout', '0', true)`.execute(trx);
        await work(trx);
      });
    } catch (error) {
      if (classifyDatabaseError(error) !== 'conflict') throw error;
      const pauseMs = pausesMs[attempt];
      if (pauseMs === undefined) throw lockedOut(attempt + 1, error);
      onWait(`a table that the migration needs is in use; retrying in ${pauseMs / 1_000} s`);
      await sleep(pauseMs);
    }
  }
}

// Helpers

async function tryLock(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ got: boolean }>`
    select pg_try_advisory_lock(${MIGRATION_LOCK}::int8) as got`.execute(db);
  return rows[0]?.got === true;
}

/**
 * While a migration waits for a table lock, all other statements queue behind it: so it waits
 * briefly and retries.
 */
const LOCK_TIMEOUT_MS = 2_000;

/** About eight minutes in total, many times the longest statement of the service. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, ...Array<number>(15).fill(30_000)];

function lockedOut(attempts: number, cause: unknown): TerminalError {
  return new TerminalError(
    'SCHEMA_LOCKED',
    `The database schema could not be migrated: in ${attempts} attempts, a long transaction held the table. Nothing was ` +
      'changed. Find it with "select pid, xact_start, query from pg_stat_activity order by xact_start", let it end, and ' +
      'start again.',
    { cause },
  );
}
