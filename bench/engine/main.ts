import { sql } from 'kysely';
import { systemClock } from '../../src/platform/clock.ts';
import type { BatchDeps } from '../../src/platform/engine/batch/batch-state.ts';
import type { Command } from '../../src/platform/engine/batch/command.ts';
import { runBatch } from '../../src/platform/engine/batch/run-batch.ts';
import { neverCrash } from '../../src/platform/engine/crash-points.ts';
import { createConcurrencyLimit } from '../support/concurrency-limit.ts';
import { costTable, createMeter, medians, type RoundFigures } from '../support/costs.ts';
import { latency } from '../support/measure.ts';
import { openPgbench } from '../support/pgbench.ts';
import { print } from '../support/print.ts';
import { readSettings } from '../support/settings.ts';
import { createLeanProgram } from './lean/program.ts';
import { createLeanTables, stockLeanAddresses } from './lean/tables.ts';
import { CONNECTIONS, type EngineBench, openEngineBench, type Pay } from './open.ts';

/**
 * Durable events per second of whole payments, each with journal, snapshot, projection, timers,
 * outbox and webhook bytes, and what each costs, against three others on the same Postgres in the
 * same run:
 *
 * - one by one: the same code with one transaction per event, over 20 connections
 * - lean: the ceiling, the least that a program for the same payments needs (`lean/program.ts`)
 * - pgbench: one small transaction after another by 64 clients, as a yardstick of the server
 *
 * Rounds alternate and medians are compared, because a shared machine is noisy: read the ratios,
 * and processor time per event before events per second.
 */

const { BENCH_ROUND_MS: ROUND_MS, BENCH_ROUNDS: ROUNDS } = readSettings(
  'Durable events per second and what each costs, against one transaction per event, a lean program and pgbench.',
  { BENCH_ROUND_MS: 4_000, BENCH_ROUNDS: 3 },
);
const IDLE_SAMPLES = 400;
const PGBENCH_CLIENTS = 64;

interface Contestant {
  readonly name: string;
  run(request: { callers: number; durationMs: number; countRows?: boolean }): Promise<RoundFigures>;
}

async function main(): Promise<void> {
  const bench = await openEngineBench();
  const { db, url } = bench.database;
  const meter = await createMeter(db);
  await createLeanTables(db);
  const lean = await createLeanProgram(url, bench.kind);
  const pays: [string, Pay][] = [
    ['engine', bench.pay],
    ['one transaction per event', oneByOne(bench)],
    [
      'lean (ceiling)',
      async ({ start, events }) => {
        await lean.submit(start);
        for (const event of events) await lean.submit(event);
      },
    ],
  ];
  const contestants = pays.map(([name, pay]): Contestant => {
    return { name, run: (request) => bench.round(meter, pay, request) };
  });
  const stock = () => stockLeanAddresses(db, 10_000 + 8 * ROUND_MS);

  // Compiles the hot code, fills the tables, and counts rows, which no other round changes.
  const rows = new Map<string, number>();
  for (const { name, run } of contestants) {
    await stock();
    rows.set(name, (await run({ callers: 64, durationMs: ROUND_MS, countRows: true })).rows ?? Number.NaN);
  }
  await sql`analyze`.execute(db);

  const pgbench = await openPgbench(PGBENCH_CLIENTS);
  for (const callers of [64, 512]) {
    const atOnce = [...contestants];
    if (pgbench !== null && callers === PGBENCH_CLIENTS) {
      const run: Contestant['run'] = () => pgbench.run(Math.ceil(ROUND_MS / 1_000));
      atOnce.push({ name: 'pgbench -N', run });
    }
    const rounds = new Map<string, RoundFigures[]>(atOnce.map(({ name }) => [name, []]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { name, run } of atOnce) {
        await stock();
        rounds.get(name)?.push(await run({ callers, durationMs: ROUND_MS }));
      }
    }
    report(callers, rounds, rows);
  }
  const { p50Ms, p99Ms } = await latency(IDLE_SAMPLES, await idleDeliveries(bench));
  print(`idle, one caller: deliver takes ${p50Ms.toFixed(2)} ms p50, ${p99Ms.toFixed(2)} ms p99`);
  await lean.stop();
  await pgbench?.drop();
  await bench.stop();
}

// Helpers

function oneByOne({ database: { db }, kinds, publish }: EngineBench): Pay {
  const single: BatchDeps = { db, kinds, clock: systemClock, crash: neverCrash };
  // Callers queue for connections here, so that none hits the pool's timeout.
  const connections = createConcurrencyLimit(CONNECTIONS);
  const one = (command: Command) =>
    connections.run(async () => publish((await runBatch(single, [command], null)).messages));
  return async ({ start, events }) => {
    await one({ type: 'start', ...start });
    for (const event of events) await one({ type: 'event', ...event });
  };
}

function report(
  callers: number,
  rounds: ReadonlyMap<string, readonly RoundFigures[]>,
  rows: ReadonlyMap<string, number>,
): void {
  const lines = [...rounds].map(([name, figures]): [string, RoundFigures] => {
    const middle = medians(figures);
    return [name, { ...middle, rows: rows.get(name) ?? middle.rows ?? Number.NaN }];
  });
  print(`\n${callers} callers`);
  for (const line of costTable('event', lines)) print(`  ${line}`);
  const [engine, ...others] = lines;
  for (const [name, { perSecond }] of others) {
    print(`  engine against ${name}: ${((engine?.[1].perSecond ?? Number.NaN) / perSecond).toFixed(2)} × the events`);
  }
}

/** Delivers the first event of prepared payments, one payment at a time. */
async function idleDeliveries({ engine, next, stock }: EngineBench): Promise<() => Promise<unknown>> {
  await stock(IDLE_SAMPLES);
  const prepared = Array.from({ length: IDLE_SAMPLES }, next);
  for (const { start } of prepared) await engine.start(start);
  return async () => {
    const payment = prepared.shift();
    if (payment !== undefined) await engine.deliver(payment.events[0]);
  };
}

await main();
