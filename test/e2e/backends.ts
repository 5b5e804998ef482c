import { join } from 'node:path';
import { connect } from '../../src/platform/db/index.ts';
import { unpackEmbeddedTemplate } from '../support/database/embedded-template.ts';
import { startPgBouncer } from '../support/database/pgbouncer.ts';
import { createPostgresDatabase } from '../support/database/test-database.ts';
import { COMPONENTS, describeWith } from '../support/run/components.ts';
import { level } from '../support/run/level.ts';
import type { DescribeSuite } from '../support/run/skip.ts';
import { provideNats } from '../support/service/nats.ts';

/** Settings for a database and a bus of one test. */
export interface Backend {
  readonly env: Readonly<Record<string, string>>;
  /**
   * For a command that will run in this folder; services of `createTestService` prepare themselves.
   */
  prepare(folder: string): Promise<void>;
  remove(): Promise<void>;
}

/** `describe` for suites that pay on a real Litecoin node. */
export const describeLitecoin: DescribeSuite = describeWith('litecoind');

/** The same, with Postgres in addition. */
export const describeServers: DescribeSuite = describeWith('postgres', 'litecoind');

/** The same through PgBouncer. */
export const describePooledServers: DescribeSuite = describeWith('postgres', 'litecoind', 'pgbouncer');

/**
 * Ends the leases that killed processes left in a database, so that tests need not wait until they
 * expire; test/payments/watching/chain-lease.test.ts and, at the full level,
 * test/e2e/restarts/crashes.test.ts test that. Call it only while no process uses the database.
 */
export async function endLeases(url: string): Promise<void> {
  const { db, close } = await connect({ url, dataDir: null, poolSize: 1 });
  try {
    await db.deleteFrom('chain_lease').execute();
  } finally {
    await close();
  }
}

/** Database and bus inside the process. */
export async function createEmbeddedBackend(): Promise<Backend> {
  return { env: {}, prepare: (folder) => unpackEmbeddedTemplate(join(folder, 'data')), remove: async () => {} };
}

/**
 * Embedded at the full level. A service on Postgres takes a fraction of the CPU time, so the quick
 * level prefers that.
 */
export async function createAnyBackend(): Promise<Backend> {
  if (level.isFull || !COMPONENTS.postgres.isThere()) return createEmbeddedBackend();
  const database = await createPostgresDatabase();
  return { env: { DATABASE_URL: database.url ?? '' }, prepare: async () => {}, remove: () => database.drop() };
}

/** A new database on the Postgres server, and a separate stream on the NATS server. */
export async function createServerBackend(): Promise<Backend> {
  const nats = provideNats();
  const database = await createPostgresDatabase();
  return {
    env: { DATABASE_URL: database.url ?? '', NATS_URL: nats.url, NATS_PREFIX: nats.prefix },
    prepare: async () => {},
    async remove() {
      await database.drop();
      await nats.cleanUp();
    },
  };
}

/** The same with PgBouncer in front of the database; only the schema is created without it. */
export async function createPooledBackend(): Promise<Backend> {
  const backend = await createServerBackend();
  const { DATABASE_URL = '' } = backend.env;
  const pooler = await startPgBouncer(DATABASE_URL);
  return {
    ...backend,
    env: {
      ...backend.env,
      DATABASE_URL: pooler.url,
      DATABASE_POOLER: 'transaction',
      DATABASE_MIGRATION_URL: DATABASE_URL,
    },
    async remove() {
      await pooler.stop();
      await backend.remove();
    },
  };
}
