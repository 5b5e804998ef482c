import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { classifyDatabaseError, databaseUnavailable } from './failures.ts';

/**
 * A pool that throws `RetryableError` `DATABASE_UNAVAILABLE` when the server cannot be reached or
 * fails in passing, so that no caller has to tell such errors from bugs. Others are unchanged.
 */
export function withOutageErrors(pool: PostgresPool): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect().catch(throwOutage);
      const query: unknown = (text: string, values: unknown[]) => client.query(text, values).catch(throwOutage);
      return { query: query as PostgresPoolClient['query'], release: () => client.release() };
    },
    end: () => pool.end(),
  };
}

// Helpers

function throwOutage(error: unknown): never {
  const failure = classifyDatabaseError(error);
  throw failure === 'unavailable' || failure === 'transient' ? databaseUnavailable(error) : error;
}
