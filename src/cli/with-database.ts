import type { Kysely } from 'kysely';
import type { Config } from '../platform/config/index.ts';
import { classifyDatabaseError, type Database } from '../platform/db/index.ts';
import { messageOf, TerminalError } from '../platform/errors.ts';
import { migrateSchema, rejectPooler } from '../service/migrate-schema.ts';
import { openDatabase } from '../service/open-database.ts';

/**
 * Opens the configured database, migrates or checks its schema, runs `work`, and closes the
 * database.
 */
export async function withDatabase<T>(config: Config, work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const connection = await openDatabase(config);
  try {
    await rejectPooler(config.database).catch(explainUnreachable);
    await migrateSchema(config, connection.db).catch(explainUnreachable);
    return await work(connection.db).catch(explainUnreachable);
  } finally {
    await connection.close();
  }
}

/**
 * Throws a `TerminalError` with the remedy. A command does not wait for the database, because a
 * person waits for the command.
 */
export function explainUnreachable(error: unknown): never {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (classifyDatabaseError(cause) !== 'unavailable') throw error;
  throw new TerminalError(
    'DATABASE_UNAVAILABLE',
    `The database cannot be reached (${messageOf(cause)}): check DATABASE_URL, and that the server is running.`,
  );
}
