import pg from 'pg';

/**
 * How DATABASE_URL reaches the server: directly, or through a pooler in transaction mode, without
 * or with prepared statements.
 */
export type PoolerMode = 'none' | 'transaction' | 'transaction-prepared';

/** A problem between the service and its database, with its remedy. */
export interface PoolerProblem {
  readonly code: 'POOLER_NOT_DECLARED' | 'POOLER_WITHOUT_PREPARED' | 'POOLER_ON_MIGRATION_URL';
  readonly text: string;
  readonly remedy: string;
}

export interface PoolerReport {
  readonly isPooled: boolean;
  readonly problem: PoolerProblem | null;
}

const CONNECT_TIMEOUT_MS = 3_000;
const QUERY_TIMEOUT_MS = 5_000;
/** A busy pooler may return the same connection; then the check is repeated. */
const ATTEMPTS = 5;

/**
 * Detects a pooler between this process and the server, and what it lacks for `mode`. Rejects with
 * connection errors. Connects without the startup parameters of `connect`, because a pooler may
 * reject those.
 */
export async function examinePooler(url: string, mode: PoolerMode): Promise<PoolerReport> {
  const [first, second] = [newClient(url), newClient(url)];
  try {
    await first.connect();
    const isPooled = (await serverPid(first)) !== Number(Reflect.get(first, 'processID'));
    if (!isPooled) return { isPooled, problem: null };
    if (mode === 'none') return { isPooled, problem: NOT_DECLARED };
    if (mode === 'transaction') return { isPooled, problem: null };
    await second.connect();
    return { isPooled, problem: (await keepsPrepared(first, second)) ? null : WITHOUT_PREPARED };
  } finally {
    await Promise.all([first, second].map((client) => client.end().catch(() => {})));
  }
}

/**
 * Returns the problem of a pooler on the migration URL, or null. Rejects with connection errors.
 */
export async function examineMigrationUrl(url: string): Promise<PoolerProblem | null> {
  return (await examinePooler(url, 'transaction')).isPooled ? ON_MIGRATION_URL : null;
}

// Helpers

function newClient(connectionString: string): pg.Client {
  const limits = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: QUERY_TIMEOUT_MS };
  const client = new pg.Client({ connectionString, application_name: 'quittance', ...limits });
  client.on('error', () => {});
  return client;
}

async function serverPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

const PREPARED = { name: 'quittance_pooler', text: 'select 1' };
const UNKNOWN_STATEMENT = '26000';
/**
 * The other connection has prepared the same name: a pooler that tracks prepared statements would
 * have renamed them.
 */
const DUPLICATE_STATEMENT = '42P05';

/**
 * False when a prepared statement is lost. While the second client holds the server connection on
 * which it was prepared, the first one is given another.
 */
async function keepsPrepared(first: pg.Client, second: pg.Client): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      await first.query(PREPARED);
      await second.query('begin');
      await first.query(PREPARED);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code === UNKNOWN_STATEMENT || code === DUPLICATE_STATEMENT) return false;
      throw error;
    } finally {
      await second.query('rollback');
    }
  }
  return true;
}

const NOT_DECLARED: PoolerProblem = {
  code: 'POOLER_NOT_DECLARED',
  text: 'a pooler is in front of the server: it does not pass statement_timeout and prepared statements as used now',
  remedy:
    'Set DATABASE_POOLER=transaction, and DATABASE_MIGRATION_URL to an address that bypasses the pooler or MIGRATE=off; or let DATABASE_URL bypass the pooler.',
};

const WITHOUT_PREPARED: PoolerProblem = {
  code: 'POOLER_WITHOUT_PREPARED',
  text: 'the pooler loses prepared statements between two transactions',
  remedy:
    'Set DATABASE_POOLER=transaction, or upgrade to PgBouncer 1.21 or newer with max_prepared_statements above zero.',
};

const ON_MIGRATION_URL: PoolerProblem = {
  code: 'POOLER_ON_MIGRATION_URL',
  text: 'migrations run through a pooler, but need a session-level lock',
  remedy: 'Let DATABASE_MIGRATION_URL bypass the pooler.',
};
