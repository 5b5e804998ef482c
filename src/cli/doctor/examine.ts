import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/index.ts';
import { type Connection, connect } from '../../platform/db/index.ts';
import { createLogger } from '../../platform/log.ts';
import type { SourceBaseUrls } from '../../rates/index.ts';
import type { Check } from './check.ts';
import { type Reported, runChecks } from './run-checks.ts';

export interface Examination {
  readonly config: Config;
  readonly clock: Clock;
  /** Overrides the addresses of rate sources. */
  readonly rateBaseUrls?: Partial<SourceBaseUrls>;
  /** Time limit of one check. */
  readonly timeoutMs?: number;
}

/** Shared by all checks; each runs few queries. */
const CONNECTIONS = 2;

/** Runs the checks against an installation and closes everything it opened. */
export async function examine(
  checks: readonly Check[],
  { config, clock, rateBaseUrls = {}, timeoutMs }: Examination,
): Promise<Reported[]> {
  const connection = await connectionOf(config);
  const database = responding(connection);
  try {
    const examined = { config, clock, database, log: createLogger({ level: 'silent' }), rateBaseUrls };
    return await runChecks(checks, examined, timeoutMs);
  } finally {
    await connection?.close();
  }
}

// Helpers

/**
 * Null for the embedded database: opening it writes to it, and only one process may have it open.
 */
async function connectionOf({ database, dataDir }: Config): Promise<Connection | null> {
  const { url, pooler } = database;
  if (url === null) return null;
  return connect({ url, dataDir, poolSize: CONNECTIONS, pooler, applicationName: 'quittance doctor' });
}

/** Tries the connection once; one check reports the failure, and the others then return nothing. */
function responding(connection: Connection | null): () => Promise<Connection | null> {
  let requested: Promise<boolean> | null = null;
  return async () => {
    if (connection === null) return null;
    requested ??= connection.isHealthy();
    return (await requested) ? connection : null;
  };
}
