import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/index.ts';
import { type Connection, connect } from '../../db/index.ts';
import { createLogger } from '../../log.ts';
import type { SourceBaseUrls } from '../../rates/index.ts';
import type { Check } from './check.ts';
import { type Reported, runChecks } from './run-checks.ts';

export interface Examination {
  readonly config: Config;
  readonly clock: Clock;
  /** Other addresses of rate sources than the real ones. */
  readonly rateBaseUrls?: Partial<SourceBaseUrls>;
  /** Longest time of one check. */
  readonly timeoutMs?: number;
}

/** Checks share these connections; each asks little. */
const CONNECTIONS = 2;

/** Runs the checks against an installation and leaves nothing behind. */
export async function examine(
  checks: readonly Check[],
  { config, clock, rateBaseUrls = {}, timeoutMs }: Examination,
): Promise<Reported[]> {
  const connection = await connectionOf(config);
  const database = answering(connection);
  try {
    const examined = { config, clock, database, log: createLogger({ level: 'silent' }), rateBaseUrls };
    return await runChecks(checks, examined, timeoutMs);
  } finally {
    await connection?.close();
  }
}

// Helpers

/** The embedded database is left alone: opening it writes to it, and only one process may. */
async function connectionOf({ database, dataDir }: Config): Promise<Connection | null> {
  const { url, pooler } = database;
  if (url === null) return null;
  return connect({ url, dataDir, poolSize: CONNECTIONS, pooler, applicationName: 'quittance doctor' });
}

/** Asks once whether it answers; one check tells why not, and the others have nothing to say then. */
function answering(connection: Connection | null): () => Promise<Connection | null> {
  let asked: Promise<boolean> | null = null;
  return async () => {
    if (connection === null) return null;
    asked ??= connection.isHealthy();
    return (await asked) ? connection : null;
  };
}
