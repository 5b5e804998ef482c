import { sql } from 'kysely';
import { throughput } from '../support/measure.ts';
import { createPostgresCpu } from '../support/postgres-cpu.ts';
import { answerRounds, type RoundFigures } from '../support/rounds.ts';
import { EVENTS_PER_PAYMENT } from '../support/workload.ts';
import { openEngineBench } from './open.ts';

/** One side of `npm run bench:compare engine`: durable events of whole payments. */

const CONNECTIONS = 20;
/** More payments than any engine measured so far starts in a second. */
const PAYMENTS_PER_SECOND = 4_000;

const bench = await openEngineBench(CONNECTIONS);
const { db } = bench.database;
const postgresCpu = await createPostgresCpu(db);

async function round({ callers, durationMs }: { callers: number; durationMs: number }): Promise<RoundFigures> {
  await bench.stock((PAYMENTS_PER_SECOND * durationMs) / 1_000);
  const before = { node: process.cpuUsage(), postgres: postgresCpu(), wal: await walPosition() };
  let events = 0;
  const perSecond = await throughput({ callers, durationMs }, async () => {
    await bench.pay(bench.next());
    events += EVENTS_PER_PAYMENT;
    return EVENTS_PER_PAYMENT;
  });
  const node = process.cpuUsage(before.node);
  return {
    perSecond,
    nodeMicros: (node.user + node.system) / events,
    postgresMicros: ((postgresCpu() - before.postgres) * 1_000) / events,
    walBytes: ((await walPosition()) - before.wal) / events,
  };
}

async function walPosition(): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as bytes`.execute(db);
  return rows[0]?.bytes ?? Number.NaN;
}

await answerRounds(round);
await bench.stop();
