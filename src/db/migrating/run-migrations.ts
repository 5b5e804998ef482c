import { type Kysely, sql } from 'kysely';
import { TerminalError } from '../../errors.ts';
import { VERSION } from '../../version.ts';
import { refuseForeignSchema } from './check-schema.ts';
import { compareVersions } from './compare-versions.ts';
import { buildConcurrently } from './concurrent-index.ts';
import { withMigrationLock } from './migration-lock.ts';
import { inPatientTransaction } from './patient-transaction.ts';
import { readCompatibility, readSchemaState } from './schema-state.ts';
import type { MigrateOptions, SchemaMigration, SchemaMigrations } from './types.ts';

/**
 * Applies pending migrations one by one, each in its own commit: after a crash the next run
 * continues, and no migration holds its locks while the next one runs. Returns the names of the
 * applied migrations. Several processes may call it at once.
 *
 * Throws a `TerminalError` `SCHEMA_TOO_NEW`, `SCHEMA_DIVERGED` or `SCHEMA_LOCKED`; any other
 * failure is the `cause` of an error that names the migration.
 */
export async function runMigrations(
  db: Kysely<unknown>,
  migrations: SchemaMigrations,
  options: MigrateOptions = {},
): Promise<string[]> {
  const { onWait = () => {} } = options;
  const look = await readSchemaState(db, migrations);
  refuseForeignSchema(look);
  if (look.pending.length === 0) return [];
  return db.connection().execute((connection) =>
    withMigrationLock(connection, onWait, async () => {
      await createLedger(connection);
      // Another process may have applied them in the meantime.
      const state = await readSchemaState(connection, migrations);
      refuseForeignSchema(state);
      for (const name of state.pending) {
        const migration = migrations[name];
        if (migration === undefined) throw new Error(`the change "${name}" is not there`);
        await apply(connection, name, migration, options).catch((cause: unknown) => throwNamed(name, cause));
      }
      return [...state.pending];
    }),
  );
}

// Helpers

/** The table of Kysely's migrator, which every database has from its first migration on. */
async function createLedger(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists kysely_migration (
      name varchar(255) not null primary key,
      timestamp varchar(255) not null
    )`.execute(db);
}

async function apply(
  db: Kysely<unknown>,
  name: string,
  migration: SchemaMigration,
  options: MigrateOptions,
): Promise<void> {
  if ('indexes' in migration) {
    // Both steps are idempotent: after a crash between them, the first runs again and finds the
    // indexes.
    for (const index of migration.indexes) await buildConcurrently(db, index);
    await inPatientTransaction(db, options, (trx) => note(trx, name, migration));
    return;
  }
  await inPatientTransaction(db, options, async (trx) => {
    await migration.up(trx);
    await note(trx, name, migration);
  });
}

/**
 * Records the migration, the version that applied it, and the oldest version that can run on the
 * result.
 */
async function note(trx: Kysely<unknown>, name: string, { compatibleFrom }: SchemaMigration): Promise<void> {
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(trx);
  const present = await readCompatibility(trx);
  // The first migrations predate the table.
  if (present === null) return;
  const isRaised = compatibleFrom !== undefined && compareVersions(compatibleFrom, present.compatibleFrom) > 0;
  const next = isRaised ? compatibleFrom : present.compatibleFrom;
  await sql`
    update schema_compatibility set compatible_from = ${next}, changed_by = ${VERSION}, changed_at = now()`.execute(
    trx,
  );
}

/** Keeps a `TerminalError`; wraps anything else with the migration's name. */
function throwNamed(name: string, cause: unknown): never {
  if (cause instanceof TerminalError) throw cause;
  throw new Error(`The database schema could not be brought up to date: the change "${name}" failed`, { cause });
}
