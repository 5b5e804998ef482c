import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type IssuedKeys, issueKeys, upsertMerchant } from '../../src/merchants/index.ts';
import { type Child, startChild } from '../support/child.ts';
import { type BenchDatabase, createBenchDatabase } from '../support/database.ts';
import { fillTransactions } from './fill.ts';

/** The service as an operator runs it, with one merchant who has `rows` live payments. */
export interface Installation {
  readonly rows: number;
  readonly database: BenchDatabase;
  readonly merchantId: string;
  readonly keys: IssuedKeys;
  readonly service: Child;
  remove(): Promise<void>;
}

/** For both the service and the baseline. */
export const POOL_SIZE = 20;

/** Fills a new database and starts the compiled service on it in its own process. */
export async function createInstallation(rows: number): Promise<Installation> {
  const database = await createBenchDatabase(2);
  const dataDir = await mkdtemp(join(tmpdir(), 'quittance-bench-'));
  const removeData = async () => {
    await database.drop();
    await rm(dataDir, { recursive: true });
  };
  try {
    const { merchantId, keys } = await addMerchant(database);
    await fillTransactions(database.db, { merchantId, rows });
    const service = await startChild(new URL('../../src/main.js', import.meta.url), {
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      DATA_DIR: dataDir,
      PORT: '0',
    });
    const remove = async () => {
      await service.stop();
      await removeData();
    };
    return { rows, database, merchantId, keys, service, remove };
  } catch (error) {
    await removeData();
    throw error;
  }
}

// Helpers

async function addMerchant({ db }: BenchDatabase): Promise<{ merchantId: string; keys: IssuedKeys }> {
  return db.transaction().execute(async (trx) => {
    const { id: merchantId } = await upsertMerchant(trx, {
      name: 'bench',
      email: 'bench@example.com',
      plan: 'enterprise',
      settings: {},
    });
    // Requests are counted as usual, with limits too high to reach.
    await sql`update plan set api_rate_limit_per_minute = 1000000000, api_rate_limit_per_hour = 1000000000`.execute(
      trx,
    );
    return { merchantId, keys: await issueKeys(trx, merchantId, Date.now()) };
  });
}
