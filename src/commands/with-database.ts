import type { Kysely } from 'kysely';
import type { Config } from '../config/index.ts';
import { classifyDatabaseError, type Database, migrate } from '../db/index.ts';
import { messageOf, TerminalError } from '../errors.ts';
import { openDatabase } from './open-database.ts';

/** Opens the database of the settings, brings its schema up to date, runs `work`, and closes it again. */
export async function withDatabase<T>(config: Config, work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const connection = await openDatabase(config);
  try {
    await migrate(connection.db).catch(explainUnreachable);
    return await work(connection.db);
  } finally {
    await connection.close();
  }
}

// Helpers

/** A person waits for this command, so it does not wait for the database. */
function explainUnreachable(error: unknown): never {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (classifyDatabaseError(cause) !== 'unavailable') throw error;
  throw new TerminalError(
    'DATABASE_UNAVAILABLE',
    `The database cannot be reached (${messageOf(cause)}): check DATABASE_URL, and whether the server runs.`,
  );
}
