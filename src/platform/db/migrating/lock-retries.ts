import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { TerminalError } from '../../errors.ts';
import { classifyDatabaseError } from '../failures.ts';
import type { MigrateOptions } from './types.ts';

/**
 * While a migration waits for a table lock, all other statements queue behind it: so it waits
 * briefly and retries.
 */
const LOCK_TIMEOUT_MS = 2_000;
/** About eight minutes in total, many times the longest statement of the service. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, ...Array<number>(15).fill(30_000)];

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

function lockedOut(attempts: number, cause: unknown): TerminalError {
  return new TerminalError(
    'SCHEMA_LOCKED',
    `The database schema could not be migrated: in ${attempts} attempts, a long transaction held the table. Nothing was ` +
      'changed. Find it with "select pid, xact_start, query from pg_stat_activity order by xact_start", let it end, and ' +
      'start again.',
    { cause },
  );
}
