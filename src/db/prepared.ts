import { createHash } from 'node:crypto';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { type SendStatement, type Timeouts, withLocalTimeouts } from './pooled-client.ts';
import type { PoolerMode } from './pooler.ts';
import { WatchedClient } from './watched-client.ts';

export interface PoolUseOptions {
  readonly pooler: PoolerMode;
  readonly timeouts: Timeouts;
}

/**
 * Set-based statements have one text whatever the number of rows, so the server parses and plans each once per connection instead
 * of every time: for a lone event that is most of its cost. Statements whose text grows with their input are left alone; a
 * server keeps every prepared text until the connection ends.
 *
 * Behind a pooler that hands out server connections per transaction, prepared statements need its support
 * (PgBouncer 1.21 or later), and every transaction sets its limits itself.
 */
export function withPreparedStatements(pool: pg.Pool, { pooler, timeouts }: PoolUseOptions): PostgresPool {
  const names = new Map<string, string>();

  function nameOf(text: string): string {
    const known = names.get(text);
    if (known !== undefined) return known;
    const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    names.set(text, name);
    return name;
  }

  function wrap(client: pg.PoolClient): PostgresPoolClient {
    const toServer: SendStatement = (text, values) =>
      pooler !== 'transaction' && SET_BASED.test(text)
        ? client.query({ name: nameOf(text), text, values })
        : client.query(text, values);
    const send = pooler === 'none' ? toServer : withLocalTimeouts(toServer, timeouts);
    const query: unknown = (text: string, values: unknown[]) => {
      const answer = send(text, values);
      if (!(client instanceof WatchedClient)) return answer;
      if (LIFTS_TIMEOUT.test(text)) client.isPatient = true;
      else if (ENDS_LIFTING.test(text)) client.isPatient = false;
      return client.follow(answer);
    };
    // Kysely also offers cursors here; nothing in this project streams rows.
    return { query: query as PostgresPoolClient['query'], release: () => client.release() };
  }

  return {
    connect: async () => wrap(await pool.connect()),
    end: () => pool.end(),
  };
}

/** The two ways a statement of ours takes many rows in one parameter. */
const SET_BASED = /\bunnest\(|= any\(/;

/** What `liftTimeouts` and migrations say before work that may take hours: nobody may take its silence for a dead connection. */
const LIFTS_TIMEOUT = /set_config\('statement_timeout', '0'|set local statement_timeout = 0/;
const ENDS_LIFTING = /^\s*(commit|rollback|reset statement_timeout)\b/i;
