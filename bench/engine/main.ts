import { sql } from 'kysely';
import { systemClock } from '../../src/clock.ts';
import { runBatch } from '../../src/engine/batch.ts';
import type { Command } from '../../src/engine/command.ts';
import { neverCrash } from '../../src/engine/crash-points.ts';
import type { EventCommand, StartCommand } from '../../src/engine/index.ts';
import type { BatchDeps } from '../../src/engine/work.ts';
import { createGroup } from '../support/group.ts';
import { latency, median, throughput } from '../support/measure.ts';
import { readSettings } from '../support/settings.ts';
import { createTurns } from '../support/turns.ts';
import { EVENTS_PER_PAYMENT, type PaymentCommands } from '../support/workload.ts';
import { createBareBatches } from './bare-sql.ts';
import { type EngineBench, openEngineBench } from './open.ts';

/**
 * Durable events per second of whole payments, each with journal, snapshot, projection, timers,
 * outbox and webhook bytes, against two others on the same Postgres in the same run:
 *
 * - (a) baseline: the same code with one transaction per event, over 20 connections
 * - (b) ceiling: the same set-based statements without any statechart
 *
 * Rounds alternate and medians are compared, because a shared machine is noisy: read the ratios.
 */

const CONNECTIONS = 20;
const { BENCH_ROUND_MS: ROUND_MS, BENCH_ROUNDS: ROUNDS } = readSettings(
  'Durable events per second, against one transaction per event and against the bare statements.',
  { BENCH_ROUND_MS: 4_000, BENCH_ROUNDS: 3 },
);
const IDLE_SAMPLES = 400;
/** More than any variant starts. */
const PAYMENTS_PER_SECOND = 4_000;

type Variant = (payment: PaymentCommands) => Promise<unknown>;

interface Bench extends EngineBench {
  readonly oneByOne: Variant;
  readonly bare: Variant;
}

async function open(): Promise<Bench> {
  const bench = await openEngineBench(CONNECTIONS);
  const { kind, kinds, publish, next } = bench;
  const { db } = bench.database;
  const single: BatchDeps = { db, kinds, clock: systemClock, crash: neverCrash };
  const bareBatches = createBareBatches(db, kind, next());
  const bareGroup = createGroup<StartCommand | EventCommand>(async (commands) =>
    publish(await bareBatches.run(commands)),
  );
  // Callers queue for connections here, so that none hits the pool's timeout.
  const connections = createTurns(CONNECTIONS);
  const one = (command: Command) =>
    connections.take(async () => publish((await runBatch(single, [command], null)).messages));
  return {
    ...bench,
    async oneByOne({ start, events }) {
      await one({ type: 'start', ...start });
      for (const event of events) await one({ type: 'event', ...event });
    },
    async bare({ start, events }) {
      await bareGroup.submit(start);
      for (const event of events) await bareGroup.submit(event);
    },
  };
}

async function rate(bench: Bench, variant: Variant, callers: number): Promise<number> {
  await bench.stock((PAYMENTS_PER_SECOND * ROUND_MS) / 1_000);
  return throughput({ callers, durationMs: ROUND_MS }, async () => {
    await variant(bench.next());
    return EVENTS_PER_PAYMENT;
  });
}

async function main(): Promise<void> {
  // JIT-compiles the hot code on a throwaway database; the next figure measures only the database.
  const warmUp = await open();
  await rate(warmUp, warmUp.pay, 64);
  await warmUp.stop();
  const fresh = await open();
  const onFresh = await rate(fresh, fresh.pay, 64);
  await fresh.stop();

  const bench = await open();
  // Fills the tables and gives the planner its statistics.
  await rate(bench, bench.pay, 64);
  await rate(bench, bench.bare, 64);
  await sql`analyze`.execute(bench.database.db);
  const onWarmed = await rate(bench, bench.pay, 64);

  print('');
  print(
    `database created a second ago: ${show(onFresh)} events/s; filled and analyzed: ${show(onWarmed)} (ratio ${ratio(onFresh, onWarmed)})`,
  );
  for (const callers of [64, 512]) {
    const rates = { pay: [] as number[], oneByOne: [] as number[], bare: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.pay.push(await rate(bench, bench.pay, callers));
      rates.oneByOne.push(await rate(bench, bench.oneByOne, callers));
      rates.bare.push(await rate(bench, bench.bare, callers));
    }
    const [pay, oneByOne, bare] = [median(rates.pay), median(rates.oneByOne), median(rates.bare)];
    print(`${callers} callers: engine ${show(pay)} events/s`);
    print(`  (a) one transaction per event  ${show(oneByOne)} events/s: engine is ${ratio(pay, oneByOne)} x (a)`);
    print(`  (b) bare set-based SQL         ${show(bare)} events/s: engine is ${percent(pay, bare)} of (b)`);
  }
  const { p50Ms, p99Ms } = await latency(IDLE_SAMPLES, await idleDeliveries(bench));
  print(`idle, one caller: deliver takes ${p50Ms.toFixed(2)} ms p50, ${p99Ms.toFixed(2)} ms p99`);
  await bench.stop();
}

// Helpers

/** Delivers the first event of prepared payments, one payment at a time. */
async function idleDeliveries({ engine, next }: Bench): Promise<() => Promise<unknown>> {
  const prepared = Array.from({ length: IDLE_SAMPLES }, next);
  for (const { start } of prepared) await engine.start(start);
  return async () => {
    const payment = prepared.shift();
    if (payment !== undefined) await engine.deliver(payment.events[0]);
  };
}

const show = (value: number) => Math.round(value).toLocaleString('en-US');
const ratio = (value: number, base: number) => (value / base).toFixed(2);
const percent = (value: number, base: number) => `${Math.round((100 * value) / base)} %`;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
