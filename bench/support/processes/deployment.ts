import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IssuedKeys } from '../../../src/merchants/index.ts';
import { provideNats } from '../../../test/support/service/nats.ts';
import { addMerchant } from '../add-merchant.ts';
import { type BenchDatabase, createBenchDatabase } from '../database.ts';
import { type RoleProcess, startRole } from './role.ts';

/** What the processes of a service share: a database, a stream, and the settings that name them. */
export interface Deployment {
  readonly database: BenchDatabase;
  readonly nats: { readonly url: string; readonly prefix: string };
  readonly merchantId: string;
  readonly keys: IssuedKeys;
  /** Starts one process with these roles; it is stopped with the deployment at the latest. */
  start(roles: string, env?: Readonly<Record<string, string>>): Promise<RoleProcess>;
  /** Stops every process and deletes everything. */
  remove(): Promise<void>;
}

const POOL_SIZE = 4;

/** An empty database with one merchant whose limits are never reached. */
export async function createDeployment(settings: Readonly<Record<string, string>> = {}): Promise<Deployment> {
  const nats = provideNats();
  const database = await createBenchDatabase(POOL_SIZE);
  const folder = await mkdtemp(join(tmpdir(), 'quittance-bench-'));
  const processes: RoleProcess[] = [];
  const { merchantId, keys } = await addMerchant(database);
  const common = {
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    NATS_PREFIX: nats.prefix,
    SECRETS_KEY: randomBytes(32).toString('hex'),
    DATA_DIR: folder,
    PORT: '0',
    RATES_FIXED: '{"LTC":"80"}',
    RATES_SOURCES: 'none',
    LOG_LEVEL: 'info',
    ...settings,
  };
  const remove = async () => {
    await Promise.all(processes.map((each) => each.stop()));
    await database.drop();
    await nats.cleanUp();
    await rm(folder, { recursive: true, force: true });
  };
  return {
    database,
    nats,
    merchantId,
    keys,
    async start(roles, env = {}) {
      const started = await startRole(roles, { folder, env: { ...common, ...env } });
      processes.push(started);
      return started;
    },
    remove,
  };
}

/**
 * Runs `work`, and removes the deployment afterwards, also on SIGINT and SIGTERM. Settles as
 * the work does.
 */
export async function withDeployment(
  deployment: Deployment,
  work: (deployment: Deployment) => Promise<void>,
): Promise<void> {
  const giveUp = () => void deployment.remove().finally(() => process.exit(1));
  for (const signal of SIGNALS) process.once(signal, giveUp);
  try {
    await work(deployment);
  } finally {
    for (const signal of SIGNALS) process.off(signal, giveUp);
    await deployment.remove();
  }
}

// Helpers

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
