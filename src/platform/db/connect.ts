import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import { within } from '../within.ts';
import type { Database } from './database.ts';
import { closeDeadConnections, type DeadConnectionLimits } from './dead-connections.ts';
import { withOutageErrors } from './failures.ts';
import type { PoolerMode } from './pooler.ts';
import { withPreparedStatements } from './prepared.ts';
import { parserOf } from './values.ts';
import { WatchedClient } from './watched-client.ts';

export interface DatabaseOptions {
  /** `postgres://…`; null uses the embedded database in `dataDir`. */
  readonly url: string | null;
  /** Folder of the embedded database; null keeps it in memory. */
  readonly dataDir: string | null;
  /**
   * Initial contents of an in-memory embedded database: a PGlite dump. Creating an empty one takes
   * seconds.
   */
  readonly contents?: Blob;
  readonly poolSize: number;
  /** Defaults to `none`: a direct connection to the server. */
  readonly pooler?: PoolerMode;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onConnectionError?: (error: Error) => void;
  /** When a connection that does not respond is closed; shorter in tests. */
  readonly deadConnections?: Partial<DeadConnectionLimits>;
}

export interface Connection {
  readonly db: Kysely<Database>;
  readonly kind: 'postgres' | 'embedded';
  /** True when a trivial query succeeds in time. Never throws. */
  isHealthy(): Promise<boolean>;
  /** Current pool usage; null for the embedded database, which has one connection. */
  poolUse(): PoolUse | null;
  close(): Promise<void>;
}

export interface PoolUse {
  readonly open: number;
  /** Part of `open`. */
  readonly idle: number;
  /** Statements and transactions waiting for a connection. */
  readonly waiting: number;
}

/** A server that does not accept a connection within this time counts as unavailable. */
const CONNECT_TIMEOUT_MS = 3_000;
/**
 * Longer than the interval between any periodic queries, so that an idle service does not reconnect
 * repeatedly.
 */
const IDLE_TIMEOUT_MS = 60_000;
/**
 * No regular statement runs this long; longer ones are stuck. Commands that need more use
 * `liftTimeouts`.
 */
const STATEMENT_TIMEOUT_MS = 30_000;
/** A transaction idle for this long was abandoned, and its locks block others. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
const TIMEOUTS = { statementMs: STATEMENT_TIMEOUT_MS, idleInTransactionMs: IDLE_IN_TRANSACTION_TIMEOUT_MS } as const;
/** TCP keepalive starts after this long without traffic. */
const KEEPALIVE_AFTER_MS = 10_000;
const DEAD_CONNECTION_LIMITS: DeadConnectionLimits = {
  suspectAfterMs: 5_000,
  responseWithinMs: STATEMENT_TIMEOUT_MS + 5_000,
  closeWithinMs: 5_000,
  pollEveryMs: 1_000,
};
/** Health checks must return soon. */
const HEALTHY_WITHIN_MS = 5_000;

/** Opens the database, embedded or server. Does not migrate the schema; see `migrate`. */
export async function connect(options: DatabaseOptions): Promise<Connection> {
  const server = options.url === null ? null : openServer(options.url, options);
  const { pooler = 'none' } = options;
  const pool =
    server === null ? await openEmbedded(options) : withPreparedStatements(server.pool, { pooler, timeouts: TIMEOUTS });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: withOutageErrors(pool) }) });
  let closing: Promise<void> | null = null;
  return {
    db,
    kind: options.url === null ? 'embedded' : 'postgres',
    isHealthy: async () => (await within({ ms: HEALTHY_WITHIN_MS }, () => hasResponse(pool))) === true,
    poolUse: () => (server === null ? null : poolUseOf(server.pool)),
    // Not `db.destroy()`: a later statement would fail as a bug, not as an unreachable database.
    close() {
      closing ??= server === null ? pool.end() : server.closeAfter(pool.end());
      return closing;
    },
  };
}

// Helpers

function openServer(url: string, options: DatabaseOptions) {
  const connectTo: pg.ClientConfig = {
    connectionString: url,
    application_name: options.applicationName ?? 'quittance',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // A pooler rejects or drops these; there each transaction sets them.
    ...((options.pooler ?? 'none') === 'none'
      ? {
          statement_timeout: TIMEOUTS.statementMs,
          idle_in_transaction_session_timeout: TIMEOUTS.idleInTransactionMs,
        }
      : {}),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
  };
  const pool = new pg.Pool({
    ...connectTo,
    Client: WatchedClient,
    max: options.poolSize,
    // Independent statements share a round trip.
    pipeline: true,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    types: { getTypeParser: (oid: number) => parserOf(oid) ?? pg.types.getTypeParser(oid) },
  });
  const clients = new Set<WatchedClient>();
  // An `error` event without a listener would end the process. The pool listens on idle connections
  // only; for one in use, the failing query reports the error.
  pool.on('error', (error) => options.onConnectionError?.(error));
  pool.on('connect', (client) => {
    client.on('error', () => {});
    if (!(client instanceof WatchedClient)) return;
    clients.add(client);
    client.on('end', () => clients.delete(client));
  });
  const limits = { ...DEAD_CONNECTION_LIMITS, ...options.deadConnections };
  const deadConnections = closeDeadConnections({ connectTo, clients, limits });

  /**
   * Waits for connections in use, and for the server to close the others, only for `closeWithinMs`.
   */
  async function closeAfter(end: Promise<void>): Promise<void> {
    const breakAll = () => {
      for (const client of clients) client.break();
    };
    const timer = setTimeout(breakAll, limits.closeWithinMs);
    try {
      await end;
    } finally {
      clearTimeout(timer);
      setTimeout(breakAll, limits.closeWithinMs).unref();
      deadConnections.stop();
    }
  }

  return { pool, closeAfter };
}

function poolUseOf({ totalCount: open, idleCount: idle, waitingCount: waiting }: pg.Pool): PoolUse {
  return { open, idle, waiting };
}

async function openEmbedded({ dataDir, contents }: DatabaseOptions): Promise<PostgresPool> {
  // Not loaded when a server is used.
  const { createEmbeddedPool } = await import('./embedded.ts');
  if (dataDir === null) return createEmbeddedPool({ contents: contents ?? null });
  const folder = join(dataDir, 'database');
  await mkdir(folder, { recursive: true });
  return createEmbeddedPool({ folder });
}

async function hasResponse(pool: PostgresPool): Promise<boolean> {
  try {
    const client = await pool.connect();
    try {
      await client.query('select 1', []);
      return true;
    } finally {
      client.release();
    }
  } catch {
    // A failed query means unhealthy.
    return false;
  }
}
