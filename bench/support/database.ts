import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { attachTestWallets } from '../../src/merchants/index.ts';
import { type Connection, connect, migrate } from '../../src/platform/db/index.ts';

const SERVER_URL = process.env.BENCH_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

export interface BenchDatabase extends Connection {
  readonly url: string;
  drop(): Promise<void>;
}

/** A new database with the schema of the service: empty tables, no statistics. */
export async function createBenchDatabase(poolSize: number): Promise<BenchDatabase> {
  const database = await createEmptyDatabase(poolSize);
  await migrate(database.db);
  await attachTestWallets(database.db);
  return database;
}

export async function createEmptyDatabase(poolSize: number): Promise<BenchDatabase> {
  const name = `quittance_bench_${process.pid}_${randomBytes(3).toString('hex')}`;
  await asAdmin(`create database ${name}`);
  const url = new URL(SERVER_URL);
  url.pathname = `/${name}`;
  const connection = await connect({ url: url.href, dataDir: null, poolSize });
  return {
    ...connection,
    url: url.href,
    async drop() {
      await connection.close();
      await asAdmin(`drop database if exists ${name} with (force)`);
    },
  };
}

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: SERVER_URL });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
