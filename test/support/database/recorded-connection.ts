import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from '../../../src/platform/db/index.ts';
import { parserOf } from '../../../src/platform/db/values.ts';
import type { TestDatabase } from './test-database.ts';

/**
 * One connection to a test database on Postgres, without the plugins of the service, that reports
 * every statement. `destroy` it before the database is dropped.
 */
export function openRecorded(database: TestDatabase, onQuery: (query: CompiledQuery) => void): Kysely<Database> {
  const getTypeParser = (oid: number) => parserOf(oid) ?? pg.types.getTypeParser(oid);
  const pool = new pg.Pool({ connectionString: database.url ?? '', max: 1, types: { getTypeParser } });
  // The database may be reset for the next test file while this connection is still closing.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => onQuery(query) });
}
