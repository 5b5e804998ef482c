import type { Kysely } from 'kysely';
import type { Database } from './database.ts';
import { rejectOutdatedSchema } from './migrating/check-schema.ts';
import { runMigrations } from './migrating/run-migrations.ts';
import { readSchemaState, type SchemaState } from './migrating/schema-state.ts';
import type { MigrateOptions } from './migrating/types.ts';
import { MIGRATIONS } from './migrations.ts';

/**
 * Migrates the schema to this version and returns the names of the applied migrations. Safe to call
 * from several processes concurrently, and while the service runs. Does nothing on a schema of a
 * newer version that this version can run on.
 *
 * Throws a `TerminalError` `SCHEMA_TOO_NEW`, `SCHEMA_DIVERGED` or `SCHEMA_LOCKED`, or an error that
 * names the failed migration.
 */
export function migrate(db: Kysely<Database>, options: MigrateOptions = {}): Promise<string[]> {
  return runMigrations(db as Kysely<unknown>, MIGRATIONS, options);
}

/** Compares the schema with this version. Writes nothing. */
export function schemaStateOf(db: Kysely<Database>): Promise<SchemaState> {
  return readSchemaState(db as Kysely<unknown>, MIGRATIONS);
}

/**
 * Throws a `TerminalError` unless this version can run on the schema: `SCHEMA_OUTDATED`,
 * `SCHEMA_TOO_NEW` or `SCHEMA_DIVERGED`.
 */
export async function checkSchema(db: Kysely<Database>): Promise<void> {
  rejectOutdatedSchema(await schemaStateOf(db));
}
