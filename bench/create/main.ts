import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { fastify } from 'fastify';
import { sql } from 'kysely';
import { systemClock } from '../../src/clock.ts';
import { createService } from '../../src/commands/serve/create-service.ts';
import { loadConfig } from '../../src/config/index.ts';
import { createLogger } from '../../src/log.ts';
import { issueKeys, upsertMerchant } from '../../src/merchants/index.ts';
import { createBenchDatabase } from '../support/database.ts';
import { median } from '../support/measure.ts';
import { readSettings } from '../support/settings.ts';

/**
 * Payments created per second over HTTP, with everything a create does (key lookup, validation,
 * rate lock, address derivation, actor, journal, projection, webhook bytes, outbox), against a bare
 * Fastify route that does one INSERT on the same Postgres. Rounds alternate; read the ratio.
 */

const CONNECTIONS = 64;
const { BENCH_ROUND_SECONDS: ROUND_SECONDS, BENCH_ROUNDS: ROUNDS } = readSettings(
  'Payments created per second over HTTP, against a bare route that does one INSERT.',
  { BENCH_ROUND_SECONDS: 8, BENCH_ROUNDS: 3 },
);
const POOL_SIZE = 20;

interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function main(): Promise<void> {
  const database = await createBenchDatabase(POOL_SIZE);
  const dataDir = await mkdtemp(join(tmpdir(), 'quittance-bench-'));
  const { db } = database;
  const key = await db.transaction().execute(async (trx) => {
    const merchant = await upsertMerchant(trx, {
      name: 'bench',
      email: 'bench@example.com',
      plan: 'enterprise',
      settings: {},
    });
    // Requests are counted as usual, with limits too high to reach.
    await sql`update plan set api_rate_limit_per_minute = 1000000000, api_rate_limit_per_hour = 1000000000`.execute(
      trx,
    );
    return (await issueKeys(trx, merchant.id, Date.now())).sk_test;
  });

  const service = await createService({
    config: loadConfig({
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'error',
    }),
    log: createLogger({ level: 'error' }),
    clock: systemClock,
    provisioning: null,
    announce: () => {},
  });
  await service.start();
  const bare = await startBare(database);

  const create = () => fire(`${service.publicUrl}/v1/transactions/create`, { authorization: `Bearer ${key}` });
  const insert = () => fire(`${bare.url}/insert`, {});
  await create();
  await insert();
  const rounds: { create: Round[]; insert: Round[] } = { create: [], insert: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.create.push(await create());
    rounds.insert.push(await insert());
  }
  const created = summary(rounds.create);
  const inserted = summary(rounds.insert);
  print('');
  print(`create, ${CONNECTIONS} connections:      ${line(created)}`);
  print(`bare route, one INSERT:      ${line(inserted)}`);
  print(`create is ${Math.round((100 * created.perSecond) / inserted.perSecond)} % of the bare route`);

  await service.close();
  await bare.close();
  await database.drop();
  await rm(dataDir, { recursive: true });
}

// Helpers

async function startBare({ db }: Awaited<ReturnType<typeof createBenchDatabase>>) {
  await sql`create table bare (id int8 generated always as identity primary key, body jsonb not null)`.execute(db);
  const app = fastify();
  app.post('/insert', async (request, reply) => {
    await sql`insert into bare (body) values (${JSON.stringify(request.body)}::jsonb)`.execute(db);
    return reply.code(201).send({ success: true });
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, close: () => app.close() };
}

async function fire(url: string, headers: Record<string, string>): Promise<Round> {
  const result = await autocannon({
    url,
    method: 'POST',
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
    workers: 1,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ crypto: 'LTC', amount: 25.5, metadata: { cart: 'bench' } }),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} errors`);
  return { perSecond: result.requests.average, p50Ms: result.latency.p50, p99Ms: result.latency.p99 };
}

function summary(rounds: readonly Round[]): Round {
  const middle = (pick: (round: Round) => number) => median(rounds.map(pick));
  return {
    perSecond: middle((round) => round.perSecond),
    p50Ms: middle((round) => round.p50Ms),
    p99Ms: middle((round) => round.p99Ms),
  };
}

function line({ perSecond, p50Ms, p99Ms }: Round): string {
  return `${Math.round(perSecond).toLocaleString('en-US')} requests/s, p50 ${p50Ms} ms, p99 ${p99Ms} ms`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

await main();
