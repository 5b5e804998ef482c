import { type Kysely, sql } from 'kysely';
import { TerminalError } from '../../errors.ts';
import { VERSION } from '../../version.ts';
import { rejectForeignSchema } from './check-schema.ts';
import { compareVersions } from './compare-release-versions.ts';
import { inTransactionWithLockRetries, withMigrationLock } from './locks.ts';
import { FIRST, readCompatibility, readSchemaState } from './schema-state.ts';
import type { ConcurrentIndex, MigrateOptions, SchemaMigration, SchemaMigrations } from './types.ts';

/**
 * Applies pending migrations one by one, each in its own commit: after a crash the next run
 * continues, and no migration holds its locks while the next one runs. Returns the names of the
 * applied migrations. Several processes may call it concurrently.
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
  const before = await readSchemaState(db, migrations);
  rejectForeignSchema(before);
  if (before.pending.length === 0) return [];
  return db.connection().execute((connection) =>
    withMigrationLock(connection, onWait, async () => {
      await createLedger(connection);
      // Another process may have applied them in the meantime.
      const state = await readSchemaState(connection, migrations);
      rejectForeignSchema(state);
      for (const name of state.pending) {
        const migration = migrations[name];
        if (migration === undefined) throw new Error(`the migration "${name}" does not exist`);
        await apply(connection, name, migration, options).catch((cause: unknown) => throwNamed(name, cause));
      }
      return [...state.pending];
    }),
  );
}

// Helpers

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
    await inTransactionWithLockRetries(db, options, (trx) => recordMigration(trx, name, migration));
    return;
  }
  await inTransactionWithLockRetries(db, options, async (trx) => {
    await migration.up(trx);
    await recordMigration(trx, name, migration);
  });
}

/** Keeps a `TerminalError`; wraps anything else with the migration's name. */
function throwNamed(name: string, cause: unknown): never {
  if (cause instanceof TerminalError) throw cause;
  throw new Error(`The database schema could not be migrated: the migration "${name}" failed`, { cause });
}

/**
 * Builds an index with `create index concurrently`. An interrupted build leaves an invalid index
 * that is maintained but never used; it is dropped first. `db` must be one connection outside of a
 * transaction.
 *
 * Waits without limit for transactions that began earlier, which blocks nothing: reads and writes
 * do not queue behind its lock.
 */
async function buildConcurrently(db: Kysely<unknown>, { name, statement }: ConcurrentIndex): Promise<void> {
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

/**
 * Creates the tables of applied migrations, in the format of Kysely's migrator, and of the versions
 * that can run on the schema: one row, updated by every migration.
 */
async function createLedger(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists kysely_migration (
      name varchar(255) not null primary key,
      timestamp varchar(255) not null
    )`.execute(db);
  await sql`
    create table if not exists schema_compatibility (
      only_row boolean primary key default true check (only_row),
      compatible_from text not null,
      changed_by text,
      changed_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    insert into schema_compatibility (compatible_from) values (${FIRST.compatibleFrom})
    on conflict do nothing`.execute(db);
}

/**
 * Records the migration, the version that applied it, and the oldest version that can run on the
 * result.
 */
async function recordMigration(trx: Kysely<unknown>, name: string, { compatibleFrom }: SchemaMigration): Promise<void> {
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(trx);
  const present = (await readCompatibility(trx)).compatibleFrom;
  const isRaised = compatibleFrom !== undefined && compareVersions(compatibleFrom, present) > 0;
  await sql`
    update schema_compatibility
    set compatible_from = ${isRaised ? compatibleFrom : present}, changed_by = ${VERSION}, changed_at = now()`.execute(
    trx,
  );
}
