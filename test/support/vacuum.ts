import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/db/index.ts';

/**
 * `vacuum analyze` of tables, and of all that was committed to them. Databases of tests do not wait for the disk, and of what the
 * disk has not seen yet vacuum marks no page as visible to all: plans would then lean on luck.
 */
export async function vacuumAnalyze(db: Kysely<Database>, ...tables: readonly string[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // A commit that waits for the disk takes all that came before it along; it needs an id to be one.
    await sql`set local synchronous_commit = on`.execute(trx);
    await sql`select pg_current_xact_id()`.execute(trx);
  });
  for (const table of tables) await sql`vacuum analyze ${sql.table(table)}`.execute(db);
}
