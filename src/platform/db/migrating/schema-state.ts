import { type Kysely, sql } from 'kysely';
import type { SchemaMigrations } from './types.ts';

/** State of the database schema, compared with this version. */
export interface SchemaState {
  /** Migrations of this version that are not applied, in order. */
  readonly pending: readonly string[];
  /** Applied migrations that this version does not know: a newer one added them. */
  readonly unknown: readonly string[];
  /** Migrations that are not applied although later ones are. */
  readonly skipped: readonly string[];
  readonly compatibility: Compatibility;
}

export interface Compatibility {
  /** The oldest version that can run on this schema. */
  readonly compatibleFrom: string;
  /** The newest version that changed it; null before the first migration. */
  readonly changedBy: string | null;
}

/** The state of an empty database. */
export const FIRST: Compatibility = { compatibleFrom: '0.1.0', changedBy: null };

/**
 * Compares the database with this version's migrations. Writes nothing; in an empty database all
 * are pending.
 */
export async function readSchemaState(db: Kysely<unknown>, migrations: SchemaMigrations): Promise<SchemaState> {
  const executed = new Set(await readExecuted(db));
  const known = Object.keys(migrations).sort();
  const pending = known.filter((name) => !executed.has(name));
  const newest = known.findLast((name) => executed.has(name)) ?? '';
  return {
    pending,
    unknown: [...executed].filter((name) => migrations[name] === undefined).sort(),
    skipped: pending.filter((name) => name < newest),
    compatibility: await readCompatibility(db),
  };
}

/** Reads which versions can run on this schema. */
export async function readCompatibility(db: Kysely<unknown>): Promise<Compatibility> {
  if (!(await exists(db, 'schema_compatibility'))) return FIRST;
  const { rows } = await sql<Compatibility>`
    select compatible_from as "compatibleFrom", changed_by as "changedBy" from schema_compatibility`.execute(db);
  return rows[0] ?? FIRST;
}

// Helpers

async function readExecuted(db: Kysely<unknown>): Promise<string[]> {
  if (!(await exists(db, 'kysely_migration'))) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name);
}

async function exists(db: Kysely<unknown>, table: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${table}) is not null as found`.execute(db);
  return rows[0]?.found === true;
}
