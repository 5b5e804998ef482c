import { createHash } from 'node:crypto';
import { type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import type pg from 'pg';
import { arrayEncoderOf, type EncodeValues } from './binary-arrays.ts';
import { type SendStatement, type Timeouts, withLocalTimeouts } from './pooled-client.ts';
import type { PoolerMode } from './pooler.ts';
import { WatchedClient } from './watched-client.ts';

export interface PoolUseOptions {
  readonly pooler: PoolerMode;
  readonly timeouts: Timeouts;
}

/** Marks a statement to be prepared, of which there are only a few texts. */
export const PREPARED = sql`/* prepared */`;

/**
 * Prepares set-based statements, whose text does not depend on the number of rows, so that the
 * server parses and plans each once per connection: for a single event that is most of its cost.
 * Also prepares marked ones. Statements whose text grows with their input are not prepared, because
 * a server keeps every prepared statement until the connection ends.
 *
 * Behind a pooler in transaction mode, prepared statements need its support (PgBouncer 1.21 or
 * later), and every transaction sets its own timeouts.
 */
export function withPreparedStatements(pool: pg.Pool, { pooler, timeouts }: PoolUseOptions): PostgresPool {
  const known = new Map<string, Prepared>();

  function preparedOf(text: string): Prepared {
    const found = known.get(text);
    if (found !== undefined) return found;
    const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    const prepared = { name, encode: arrayEncoderOf(text) };
    known.set(text, prepared);
    return prepared;
  }

  function wrap(client: pg.PoolClient): PostgresPoolClient {
    const toServer: SendStatement = (text, values) => {
      if (pooler === 'transaction' || !IS_PREPARED.test(text)) return client.query(text, values);
      const { name, encode } = preparedOf(text);
      return client.query({ name, text, values: encode(values) });
    };
    const send = pooler === 'none' ? toServer : withLocalTimeouts(toServer, timeouts);
    const query: unknown = (text: string, values: unknown[]) => {
      if (!(client instanceof WatchedClient)) return send(text, values);
      const response = client.gather(() => send(text, values));
      if (LIFTS_TIMEOUT.test(text)) client.hasNoTimeout = true;
      else if (ENDS_LIFTING.test(text)) client.hasNoTimeout = false;
      return client.follow(response);
    };
    // Kysely also allows cursors here; this project does not stream rows.
    return { query: query as PostgresPoolClient['query'], release: () => client.release() };
  }

  return {
    connect: async () => wrap(await pool.connect()),
    end: () => pool.end(),
  };
}

// Helpers

interface Prepared {
  readonly name: string;
  readonly encode: EncodeValues;
}

/** The two forms in which our statements take many rows in one parameter, and the mark. */
const IS_PREPARED = /\bunnest\(|= any\(|\/\* prepared \*\//;

/**
 * Sent by `liftTimeouts` and migrations before work that may take hours: such a connection must not
 * be treated as dead because no response arrives.
 */
const LIFTS_TIMEOUT = /set_config\('statement_timeout', '0'|set local statement_timeout = 0/;
const ENDS_LIFTING = /^\s*(commit|rollback|reset statement_timeout)\b/i;
