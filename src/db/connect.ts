import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';
import type { PoolerMode } from './pooler.ts';
import { withPreparedStatements } from './prepared.ts';
import { breakSilentConnections, type SilenceLimits } from './silence.ts';
import { parserOf } from './values.ts';
import { WatchedClient } from './watched-client.ts';

export interface DatabaseOptions {
  /** `postgres://…`; null runs the embedded database in `dataDir`. */
  readonly url: string | null;
  /** Folder of the embedded database; null keeps it in memory. */
  readonly dataDir: string | null;
  /** What an embedded database in memory begins with: a dump of PGlite's. Making an empty one takes seconds. */
  readonly contents?: Blob;
  readonly poolSize: number;
  /** Left out: the server is reached straight. */
  readonly pooler?: PoolerMode;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** Told of connections that break while idle; the pool replaces them by itself. */
  readonly onConnectionError?: (error: Error) => void;
  /** When a connection without an answer is given up; shorter in tests. */
  readonly silence?: Partial<SilenceLimits>;
}

export interface Connection {
  readonly db: Kysely<Database>;
  readonly kind: 'postgres' | 'embedded';
  /** True when a trivial query is answered in time. Never throws. */
  isHealthy(): Promise<boolean>;
  /** How its connections are used right now; null for the embedded database, which has one. */
  poolUse(): PoolUse | null;
  close(): Promise<void>;
}

export interface PoolUse {
  readonly open: number;
  /** Of those open. */
  readonly idle: number;
  /** Statements and transactions that wait for one. */
  readonly waiting: number;
}

/** A server that does not take a connection for this long is down for us. */
const CONNECT_TIMEOUT_MS = 3_000;
/** Longer than any of its regular looks at the database is away from the next: an idle service does not connect again and again. */
const IDLE_TIMEOUT_MS = 60_000;
/** No statement of this service runs this long; what does is stuck. Commands that may take longer say so: `liftTimeouts`. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** Whoever left a transaction open this long has vanished, and keeps others waiting for its locks. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
const TIMEOUTS = { statementMs: STATEMENT_TIMEOUT_MS, idleInTransactionMs: IDLE_IN_TRANSACTION_TIMEOUT_MS } as const;
/** The operating system asks for a sign of life after this long without traffic. */
const KEEPALIVE_AFTER_MS = 10_000;
const SILENCE: SilenceLimits = {
  suspectAfterMs: 5_000,
  answerWithinMs: STATEMENT_TIMEOUT_MS + 5_000,
  closeWithinMs: 5_000,
  lookEveryMs: 1_000,
};
/** Whether the database answers is asked by those who want to know soon. */
const HEALTHY_WITHIN_MS = 5_000;

/** Opens the database, embedded or server. The schema is `migrate`'s business. */
export async function connect(options: DatabaseOptions): Promise<Connection> {
  const server = options.url === null ? null : openServer(options.url, options);
  const { pooler = 'none' } = options;
  const pool =
    server === null ? await openEmbedded(options) : withPreparedStatements(server.pool, { pooler, timeouts: TIMEOUTS });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    kind: options.url === null ? 'embedded' : 'postgres',
    isHealthy: () => answers(pool),
    poolUse: () => (server === null ? null : poolUseOf(server.pool)),
    close: () => (server === null ? db.destroy() : server.closeAfter(db.destroy())),
  };
}

// Helpers

function openServer(url: string, options: DatabaseOptions) {
  const connectTo: pg.ClientConfig = {
    connectionString: url,
    application_name: options.applicationName ?? 'quittance',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // A pooler refuses these, or drops them: there each transaction sets them.
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
    // Statements that do not wait for each other's answers share a round trip.
    pipeline: true,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    types: { getTypeParser: (oid: number) => parserOf(oid) ?? pg.types.getTypeParser(oid) },
  });
  const clients = new Set<WatchedClient>();
  // A connection that breaks without a listener would end the process: the pool listens to idle ones only, and a
  // borrowed one tells its borrower through the query that fails.
  pool.on('error', (error) => options.onConnectionError?.(error));
  pool.on('connect', (client) => {
    client.on('error', () => {});
    if (!(client instanceof WatchedClient)) return;
    clients.add(client);
    client.on('end', () => clients.delete(client));
  });
  const limits = { ...SILENCE, ...options.silence };
  const silence = breakSilentConnections({ connectTo, clients, limits });

  /** Waits no longer for what is in use, nor for a server to say goodbye. */
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
      silence.stop();
    }
  }

  return { pool, closeAfter };
}

function poolUseOf({ totalCount: open, idleCount: idle, waitingCount: waiting }: pg.Pool): PoolUse {
  return { open, idle, waiting };
}

async function openEmbedded({ dataDir, contents }: DatabaseOptions): Promise<PostgresPool> {
  // Not loaded where a server is used.
  const { createEmbeddedPool } = await import('./embedded.ts');
  if (dataDir === null) return createEmbeddedPool({ contents: contents ?? null });
  const folder = join(dataDir, 'database');
  await mkdir(folder, { recursive: true });
  return createEmbeddedPool({ folder });
}

async function answers(pool: PostgresPool): Promise<boolean> {
  const late = new AbortController();
  const tooLate = sleep(HEALTHY_WITHIN_MS, false, { signal: late.signal }).catch(() => false);
  try {
    return await Promise.race([isAnswered(pool), tooLate]);
  } finally {
    late.abort();
  }
}

async function isAnswered(pool: PostgresPool): Promise<boolean> {
  try {
    const client = await pool.connect();
    try {
      await client.query('select 1', []);
      return true;
    } finally {
      client.release();
    }
  } catch {
    // Being unable to ask is the answer "no".
    return false;
  }
}
