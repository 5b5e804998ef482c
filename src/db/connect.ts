import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';
import { withPreparedStatements } from './prepared.ts';
import { parserOf } from './values.ts';

export interface DatabaseOptions {
  /** `postgres://…`; null runs the embedded database in `dataDir`. */
  readonly url: string | null;
  /** Folder of the embedded database; null keeps it in memory. */
  readonly dataDir: string | null;
  /** What an embedded database in memory begins with: a dump of PGlite's. Making an empty one takes seconds. */
  readonly contents?: Blob;
  readonly poolSize: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** Told of connections that break while idle; the pool replaces them by itself. */
  readonly onConnectionError?: (error: Error) => void;
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

/** Opens the database, embedded or server. The schema is `migrate`'s business. */
export async function connect(options: DatabaseOptions): Promise<Connection> {
  const server = options.url === null ? null : openServer(options.url, options);
  const pool = server === null ? await openEmbedded(options) : withPreparedStatements(server);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    kind: options.url === null ? 'embedded' : 'postgres',
    isHealthy: () => answers(pool),
    poolUse: () => (server === null ? null : poolUseOf(server)),
    close: () => db.destroy(),
  };
}

// Helpers

function openServer(url: string, options: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize,
    // Statements that do not wait for each other's answers share a round trip.
    pipeline: true,
    application_name: options.applicationName ?? 'quittance',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    types: { getTypeParser: (oid: number) => parserOf(oid) ?? pg.types.getTypeParser(oid) },
  });
  // A connection that breaks without a listener would end the process: the pool listens to idle ones only, and a
  // borrowed one tells its borrower through the query that fails.
  pool.on('error', (error) => options.onConnectionError?.(error));
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
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
