import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/platform/db/index.ts';

/** Runs work on one connection without the service's statement timeout. */
export function withoutTimeout<T>(
  db: Kysely<Database>,
  work: (connection: Kysely<Database>) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection);
    try {
      return await work(connection);
    } finally {
      await sql`reset statement_timeout`.execute(connection);
    }
  });
}
