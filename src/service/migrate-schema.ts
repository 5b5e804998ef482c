import type { Kysely } from 'kysely';
import type { Config } from '../platform/config/index.ts';
import {
  checkSchema,
  connect,
  type Database,
  examineMigrationUrl,
  examinePooler,
  type MigrateOptions,
  migrate,
  type PoolerProblem,
} from '../platform/db/index.ts';
import { TerminalError } from '../platform/errors.ts';

/**
 * Applies pending migrations or, with MIGRATE=off, checks that none are pending. Returns the names
 * of the migrations it applied. Throws what `migrate` and `checkSchema` throw.
 */
export async function migrateSchema(
  config: Pick<Config, 'database'>,
  db: Kysely<Database>,
  options: MigrateOptions = {},
): Promise<string[]> {
  if (config.database.migrates) return changeSchema(config, db, options);
  await checkSchema(db);
  return [];
}

/**
 * Applies pending migrations through DATABASE_MIGRATION_URL, or through `db` when that is not set.
 * Throws what `migrate` throws.
 */
export async function changeSchema(
  { database }: Pick<Config, 'database'>,
  db: Kysely<Database>,
  options: MigrateOptions = {},
): Promise<string[]> {
  if (database.migrationUrl === null) return migrate(db, options);
  await rejectMigrationPooler(database.migrationUrl);
  const owner = await connect({
    url: database.migrationUrl,
    dataDir: null,
    poolSize: 1,
    applicationName: 'quittance migrate',
  });
  try {
    return await migrate(owner.db, options);
  } finally {
    await owner.close();
  }
}

/**
 * Throws a `TerminalError` with the remedy when DATABASE_URL leads to a pooler that lacks a feature
 * the settings need.
 */
export async function rejectPooler({ url, pooler }: Pick<Config['database'], 'url' | 'pooler'>): Promise<void> {
  if (url !== null) reject('DATABASE_URL', (await examinePooler(url, pooler)).problem);
}

/** The same for migrations, which no pooler supports. */
export async function rejectMigrationPooler(url: string): Promise<void> {
  reject('The address where the schema is changed', await examineMigrationUrl(url));
}

// Helpers

function reject(where: string, problem: PoolerProblem | null): void {
  if (problem !== null) throw new TerminalError(problem.code, `${where}: ${problem.text}. ${problem.remedy}`);
}
