import { createMetrics, type Metrics } from '../../src/monitoring/index.ts';
import type { MetricSources } from '../../src/monitoring/metrics/create-metrics.ts';
import { readInstallationFigures } from '../../src/operations/index.ts';
import { createTransactionKind } from '../../src/payments/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import {
  createEngine,
  createKindRegistry,
  createRelay,
  type Engine,
  type OutgoingMessage,
  type Relay,
  type Step,
} from '../../src/platform/engine/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createRates } from '../../src/rates/index.ts';
import { createDeliveryKind } from '../../src/webhooks/index.ts';
import { type BenchDatabase, createBenchDatabase } from '../support/database.ts';
import { IDLE_BUS } from '../support/idle-bus.ts';
import { latency, median, throughput } from '../support/measure.ts';
import { print } from '../support/print.ts';
import { readSettings } from '../support/settings.ts';
import { createWorkload, EVENTS_PER_PAYMENT, type PaymentCommands } from '../support/workload.ts';

/**
 * What metrics cost: durable events per second of whole payments with no instrumentation, with
 * every part recording and no scrapes, and with a scrape every second, on one database in
 * alternating rounds; and how long one scrape takes.
 */

const CONNECTIONS = 20;
const CALLERS = 64;
const { BENCH_ROUND_MS: ROUND_MS, BENCH_ROUNDS: ROUNDS } = readSettings('What recording and scraping metrics costs.', {
  BENCH_ROUND_MS: 4_000,
  BENCH_ROUNDS: 5,
});
const SCRAPE_EVERY_MS = 1_000;
const SCRAPES = 200;
const COUNTS = 50_000;

const STEP: Step = {
  actorId: 'dlv_bench',
  sequence: 1,
  at: 0,
  wallAt: 0,
  eventId: 'bench',
  event: { type: 'bench' },
  outcome: 'applied',
  state: 'sending',
  context: {},
  effects: [],
  attachment: null,
  error: null,
};

interface Contestant {
  readonly name: string;
  readonly engine: Engine;
  readonly relay: Relay;
  readonly isScraped: boolean;
  readonly rates: number[];
  /** Microseconds of CPU time per event. */
  readonly costs: number[];
}

async function main(): Promise<void> {
  const database = await createBenchDatabase(CONNECTIONS);
  const { next } = await createWorkload(database.db);
  const metrics = createMetrics();
  const contestants = [
    createContestant('without metrics', database, null),
    createContestant('with metrics', database, metrics),
    createContestant('and is scraped every second', database, metrics, true),
  ];
  metrics.read(sourcesOf(database, contestants[1]?.engine));
  for (const contestant of contestants) await rate(contestant, metrics, next);
  for (let round = 0; round < ROUNDS; round += 1) {
    // A different contestant starts each round: later ones find fuller tables.
    for (const [index] of contestants.entries()) {
      const contestant = contestants[(index + round) % contestants.length];
      if (contestant !== undefined) await measure(contestant, metrics, next);
    }
  }
  const [first] = contestants;
  for (const { name, rates, costs } of contestants) {
    const rateRatio = ratio(rates, first?.rates ?? rates);
    const costRatio = ratio(costs, first?.costs ?? costs);
    print(
      `${name.padEnd(28)} ${median(rates).toFixed(0)} events/s (ratio ${rateRatio}), ` +
        `${median(costs).toFixed(0)} µs of processor per event (ratio ${costRatio})`,
    );
  }
  for (const [what, us] of countingCosts()) print(`counting ${what}: ${us.toFixed(2)} µs of processor`);
  const { p50Ms, p99Ms } = await latency(SCRAPES, () => metrics.text());
  const { body } = await metrics.text();
  print(`a scrape, figures kept: ${p50Ms.toFixed(2)} ms p50, ${p99Ms.toFixed(2)} ms p99, ${body.length} bytes`);
  for (const { engine, relay } of contestants) {
    await engine.drain();
    await relay.stop();
  }
  await database.drop();
}

// Helpers

function createContestant(name: string, { db }: BenchDatabase, metrics: Metrics | null, isScraped = false): Contestant {
  const log = createLogger({ level: 'error' });
  const kinds = createKindRegistry([createTransactionKind({ publicUrl: 'http://127.0.0.1' }), createDeliveryKind()]);
  const relay = createRelay({ db, bus: IDLE_BUS, log, observer: metrics?.observers.relay });
  const onCommitted = (messages: readonly OutgoingMessage[]) => relay.publish(messages);
  const observer = metrics?.observers.engine;
  const engine = createEngine({ db, kinds, clock: systemClock, log, onCommitted, observer });
  return { name, engine, relay, isScraped, rates: [], costs: [] };
}

async function measure(contestant: Contestant, metrics: Metrics, next: () => PaymentCommands): Promise<void> {
  const before = process.cpuUsage();
  const eventsPerSecond = await rate(contestant, metrics, next);
  const { user, system } = process.cpuUsage(before);
  contestant.rates.push(eventsPerSecond);
  contestant.costs.push((user + system) / (eventsPerSecond * (ROUND_MS / 1_000)));
}

const ratio = (values: readonly number[], base: readonly number[]) => (median(values) / median(base)).toFixed(3);

async function rate({ engine, isScraped }: Contestant, metrics: Metrics, next: () => PaymentCommands): Promise<number> {
  const scraping = isScraped ? setInterval(() => void metrics.text(), SCRAPE_EVERY_MS) : undefined;
  try {
    return await throughput({ callers: CALLERS, durationMs: ROUND_MS }, async () => {
      const { start, events } = next();
      await engine.start(start);
      for (const event of events) await engine.deliver(event);
      return EVENTS_PER_PAYMENT;
    });
  } finally {
    clearInterval(scraping);
  }
}

/**
 * Microseconds of CPU time that each listener takes per item; for the engine's, in a batch of 64.
 */
function countingCosts(): readonly (readonly [string, number])[] {
  const { engine, relay, bus, requests } = createMetrics().observers;
  const kind = createDeliveryKind();
  const each = <T>(item: T): T[] => Array.from({ length: CALLERS }, () => item);
  const batch = {
    commands: each({ type: 'event' } as const),
    results: each({ outcome: { outcome: 'applied', state: null } } as const),
    steps: each({ kind, step: STEP }),
    durationMs: 12,
  };
  const queue = 'actor-transaction';
  const request = { method: 'GET', route: '/v1/transactions', status: 200, isCutOff: false, durationMs: 3 };
  return [
    ['a command', cost(() => engine.batchEnded(batch)) / CALLERS],
    ['a message that leaves', cost(() => relay.published({ queue, outcome: 'published', durationMs: 3 }))],
    ['a message that is handled', cost(() => bus.processed({ queue, outcome: 'handled', durationMs: 3 }))],
    ['a request', cost(() => requests.began()(request))],
  ];
}

function cost(count: () => void): number {
  for (let turn = 0; turn < COUNTS / 10; turn += 1) count();
  const before = process.cpuUsage();
  for (let turn = 0; turn < COUNTS; turn += 1) count();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / COUNTS;
}

function sourcesOf({ db }: BenchDatabase, engine: Engine | undefined): MetricSources {
  const bus = { waiting: async () => new Map() };
  const rates = createRates({ clock: systemClock, log: createLogger({ level: 'error' }), sources: [] });
  return {
    version: 'bench',
    roles: [],
    isReady: async () => true,
    rates,
    clock: systemClock,
    engineLoad: () => engine?.load() ?? { waiting: 0, batchForMs: null },
    poolUse: () => null,
    busResponds: async () => true,
    readFigures: () => readInstallationFigures({ db, clock: systemClock, bus, rates, networks: [] }),
  };
}

await main();
