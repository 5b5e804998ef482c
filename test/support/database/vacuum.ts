import { type Kysely, sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Database } from '../../../src/platform/db/index.ts';
import { POLLING } from '../polling.ts';

/**
 * Runs `vacuum analyze` on tables so that it covers everything committed so far. Test databases
 * commit asynchronously, and vacuum does not mark pages all-visible whose commits are not flushed
 * yet, nor those that the snapshot of an automatic analyze may need; plans would then depend on
 * timing.
 */
export async function vacuumAnalyze(db: Kysely<Database>, ...tables: readonly string[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // A synchronous commit flushes all earlier commits too; only a transaction with an id does so.
    await sql`set local synchronous_commit = on`.execute(trx);
    await sql`select pg_current_xact_id()`.execute(trx);
  });
  for (const table of tables) {
    await vi.waitFor(async () => {
      await sql`vacuum analyze ${sql.table(table)}`.execute(db);
      const { rows } = await sql`select relpages = relallvisible as "isDone" from pg_class
        where oid = ${table}::regclass`.execute(db);
      expect(rows, table).toEqual([{ isDone: true }]);
    }, POLLING);
  }
}
