import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Kysely } from 'kysely';
import type { Mode } from '../../machines/index.ts';
import { PROGRAM } from '../../scripts/build/program.ts';
import type { Database } from '../../src/platform/db/index.ts';
import { addMerchant } from './add-merchant.ts';
import { type Child, startChild } from './child.ts';
import { createMeter, type Meter } from './costs.ts';
import { type BenchDatabase, createBenchDatabase } from './database.ts';
import type { Target } from './load.ts';

/** The service as an operator runs it, api and worker in one process, with one merchant. */
export interface Installation {
  readonly database: BenchDatabase;
  readonly merchantId: string;
  readonly service: Child;
  /** CPU time and memory of the service and its database server. */
  readonly meter: Meter;
  /** What all requests of the merchant have in common. */
  target(mode: Mode): Omit<Target, 'next'>;
  remove(): Promise<void>;
}

/** For both the service and a baseline. */
export const POOL_SIZE = 20;

/** Fills a new database and starts the compiled service on it in its own process. */
export async function createInstallation(
  fill: (db: Kysely<Database>, merchantId: string) => Promise<void> = async () => {},
): Promise<Installation> {
  const database = await createBenchDatabase(2);
  const dataDir = await mkdtemp(join(tmpdir(), 'quittance-bench-'));
  const removeData = async () => {
    await database.drop();
    await rm(dataDir, { recursive: true });
  };
  try {
    const { merchantId, keys } = await addMerchant(database);
    await fill(database.db, merchantId);
    const service = await startChild(pathToFileURL(PROGRAM), {
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      DATA_DIR: dataDir,
      PORT: '0',
      RATES_FIXED: '{"LTC":"80"}',
      RATES_SOURCES: 'none',
    });
    const meter = await createMeter(database.db, [service.pid]);
    return {
      database,
      merchantId,
      service,
      meter,
      target(mode) {
        const authorization = `Bearer ${keys[`sk_${mode}`]}`;
        return { url: service.url, headers: { authorization, 'content-type': 'application/json' }, status: 200 };
      },
      async remove() {
        await service.stop();
        await removeData();
      },
    };
  } catch (error) {
    await removeData();
    throw error;
  }
}
