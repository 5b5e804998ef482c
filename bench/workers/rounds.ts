import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/platform/db/index.ts';
import { actorQueue } from '../../src/platform/engine/index.ts';
import { countDelivered } from '../support/count-delivered.ts';
import { BARE_QUEUE } from './bare-queue.ts';
import { messageOf, type WorkersHarness } from './harness.ts';
import { watchLocks } from './lock-waits.ts';

/** Result of one round. */
export interface Round {
  /** Payments per second: both coin events handled, the webhook delivered and that recorded. */
  readonly perSecond: number;
  /** Engine events per database commit, counting the commits of all processes and other work. */
  readonly eventsPerCommit: number;
  /** Connections waiting for a row locked by another one, on average. */
  readonly lockWaits: number;
  /** Maximum over mean of the messages that each process settled; 1 is perfectly even. */
  readonly skew: number;
  /** Processors of the machine that the workers kept busy. */
  readonly processors: number;
}

const POLL_MS = 100;
/** A round that takes longer is stuck. */
const TIMEOUT_MS = 300_000;
/**
 * Journal entries per payment from its first coin event on: seen, confirmed, delivery started,
 * attempt answered.
 */
const EVENTS_PER_PAYMENT = 4;

/**
 * Runs one round: `processes` workers take the coin events of `payments` open payments. Checks that
 * nothing was done twice.
 */
export async function payRound(
  harness: WorkersHarness,
  { processes, payments, apart }: { processes: number; payments: number; apart: boolean },
): Promise<Round> {
  const { bus, database } = harness;
  const { db } = database;
  const workers = await harness.startWorkers('worker', processes, { apart });
  const opened = await harness.openPayments(payments);
  // The messages of the creations have no handler here, and are drained first.
  await until(async () => (await harness.pending()) === 0, 'the workers did not take what there was');
  await harness.receiverReport();
  const before = { delivered: await countDelivered(db), journaled: await countJournaled(db) };
  const [reportsBefore, commitsBefore] = [await workers.reports(), await countCommits(db)];
  const locks = watchLocks(database.url);
  const began = performance.now();
  for (const index of [0, 1] as const) {
    await inGroups(opened, ({ events }) => {
      const command = events[index];
      return bus.publish(messageOf(actorQueue('transaction'), command.actorId, `bench:${command.eventId}`, command));
    });
  }
  await until(async () => (await harness.pending()) === 0, 'messages are left');
  await until(async () => (await countDelivered(db)) >= before.delivered + payments, 'webhooks are left');
  const seconds = (performance.now() - began) / 1_000;
  const lockWaits = await locks.stop();
  const [reports, commits] = [await workers.reports(), await countCommits(db)];
  await workers.stop();
  await checkOnce(harness, { journaled: before.journaled + EVENTS_PER_PAYMENT * payments, payments });
  const settled = reports.map(({ handled }, index) => total(handled) - total(reportsBefore[index]?.handled ?? {}));
  const cpuMs = reports.map((report, index) => report.cpuMs - (reportsBefore[index]?.cpuMs ?? 0));
  return {
    perSecond: payments / seconds,
    eventsPerCommit: (EVENTS_PER_PAYMENT * payments) / (commits - commitsBefore),
    lockWaits,
    skew: (Math.max(...settled) * settled.length) / sum(settled),
    processors: sum(cpuMs) / 1_000 / seconds,
  };
}

/** Messages per second through bare processes that write a row for each of `messages` messages. */
export async function bareRound(
  harness: WorkersHarness,
  { processes, messages }: { processes: number; messages: number },
): Promise<number> {
  const { bus, database } = harness;
  const { db } = database;
  const workers = await harness.startWorkers('bare', processes);
  await sql`truncate bench_bare`.execute(db);
  const data = { padding: 'x'.repeat(ROW_BYTES) };
  const began = performance.now();
  await inGroups(
    Array.from({ length: messages }, (_, index) => `bare:${began}:${index}`),
    (id) => bus.publish(messageOf(BARE_QUEUE, id, id, data)),
  );
  await until(async () => (await countBare(db)) >= messages, 'messages were not written');
  const seconds = (performance.now() - began) / 1_000;
  await workers.stop();
  return messages / seconds;
}

// Helpers

/** About the size of a journal entry. */
const ROW_BYTES = 900;
/** Bounded: with unlimited concurrency, publishes would hit their two-second timeout. */
const PUBLISHES_AT_ONCE = 200;

async function inGroups<T>(items: readonly T[], publish: (item: T) => Promise<void>): Promise<void> {
  for (let first = 0; first < items.length; first += PUBLISHES_AT_ONCE) {
    await Promise.all(items.slice(first, first + PUBLISHES_AT_ONCE).map(publish));
  }
}

async function until(isDone: () => Promise<boolean>, whyNot: string): Promise<void> {
  for (const giveUpAt = performance.now() + TIMEOUT_MS; !(await isDone()); await sleep(POLL_MS)) {
    if (performance.now() > giveUpAt) throw new Error(whyNot);
  }
}

/** Each webhook arrived once and the journal has the expected number of entries. */
async function checkOnce(
  { database: { db }, receiverReport }: WorkersHarness,
  { journaled, payments }: { journaled: number; payments: number },
): Promise<void> {
  const ids = (await receiverReport()).arrivals.map(([id]) => id);
  const different = new Set(ids);
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (different.size !== payments) throw new Error(`${payments} webhooks were due; ${different.size} came`);
  if (repeated.length > 0) {
    throw new Error(
      `received twice: ${repeated.join(', ')}; failed attempts: ${JSON.stringify(await failedAttempts(db))}`,
    );
  }
  const found = await countJournaled(db);
  if (found !== journaled) throw new Error(`the journal has ${found} entries instead of ${journaled}`);
}

/**
 * If a response arrives after the sender's timeout, the merchant receives the webhook twice. That
 * is not an error of the balancing.
 */
async function failedAttempts(db: Kysely<Database>): Promise<unknown> {
  const { rows } = await sql`
    select webhook_event_id, attempt.attempt, duration_ms, failure, failure_detail from webhook_attempt as attempt
      join webhook_delivery as delivery on delivery.id = attempt.delivery_id
    where failure is not null`.execute(db);
  return rows;
}

async function countJournaled(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from journal_entry`.execute(db);
  return Number(rows[0]?.count);
}

async function countBare(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from bench_bare`.execute(db);
  return Number(rows[0]?.count);
}

async function countCommits(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ commits: number }>`
    select xact_commit as commits from pg_stat_database where datname = current_database()`.execute(db);
  return Number(rows[0]?.commits);
}

function total(handled: Readonly<Record<string, number>>): number {
  return sum(Object.values(handled));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0);
}
