import type { Kysely } from 'kysely';
import type { Config } from '../platform/config/index.ts';
import { checkSchema, connect, type Database, type MigrateOptions, migrate } from '../platform/db/index.ts';
import { refuseMigrationPooler } from './refuse-pooler.ts';

/**
 * Applies pending migrations or, with MIGRATE=off, checks that none are pending. Returns the names
 * of the migrations it applied. Throws what `migrate` and `checkSchema` throw.
 */
export async function bringSchema(
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
  await refuseMigrationPooler(database.migrationUrl);
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
