import type { Kysely } from 'kysely';
import type { Config } from '../config/index.ts';
import { type Database, migrate } from '../db/index.ts';
import { openDatabase } from './open-database.ts';

/** Opens the database of the settings, brings its schema up to date, runs `work`, and closes it again. */
export async function withDatabase<T>(config: Config, work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const connection = await openDatabase(config);
  try {
    await migrate(connection.db);
    return await work(connection.db);
  } finally {
    await connection.close();
  }
}
