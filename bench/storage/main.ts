import { sql } from 'kysely';
import { DAY_MS } from '../../machines/index.ts';
import { archiveActors } from '../../src/operations/storage/archive-actors.ts';
import { makePartitions } from '../../src/operations/storage/month-partitions.ts';
import { createTransactionKind } from '../../src/payments/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import {
  createEngine,
  createKindRegistry,
  createRelay,
  type Engine,
  leaseDueTimers,
} from '../../src/platform/engine/index.ts';
import { findOverdueMessages } from '../../src/platform/engine/sql/outbox.ts';
import { createLogger } from '../../src/platform/log.ts';
import { type BenchDatabase, createBenchDatabase } from '../support/database.ts';
import { IDLE_BUS } from '../support/idle-bus.ts';
import { median, quantile, throughput } from '../support/measure.ts';
import { print } from '../support/print.ts';
import { readSettings } from '../support/settings.ts';
import { createWorkload, EVENTS_PER_PAYMENT, type PaymentCommands } from '../support/workload.ts';

/**
 * How the database ages, in three parts:
 *
 * - the write path on a journal with 36 months of 30 days against one without partitions,
 *   alternating rounds: read the ratio
 * - what a payment leaves behind, while it runs and once it is archived
 * - a million rows through outbox and timers, vacuumed with the configured autovacuum settings and
 *   not at all: size, and time of a sweep and a lease
 */

const CONNECTIONS = 10;
const CALLERS = 64;
const {
  BENCH_ROUND_MS: ROUND_MS,
  BENCH_ROUNDS: ROUNDS,
  BENCH_ROWS: CHURNED_ROWS,
} = readSettings('How years of payments age the database: partitions, archive and vacuum.', {
  BENCH_ROUND_MS: 4_000,
  BENCH_ROUNDS: 5,
  BENCH_ROWS: 1_000_000,
});
const ARCHIVED_PAYMENTS = 1_000;
const CHURN_BATCH = 1_000;
const STEPS_SHOWN = 5;
/**
 * Dead rows per queue table before a vacuum, as the migrations set it. The bench checks as often as
 * autovacuum would, counted in rows.
 */
const VACUUM_THRESHOLD = 1_000;
const BATCHES_PER_NAP = 50;

const log = createLogger({ level: 'error' });
const kinds = createKindRegistry([createTransactionKind({ publicUrl: 'http://127.0.0.1' })]);

interface Path {
  readonly database: BenchDatabase;
  readonly engine: Engine;
  readonly next: () => PaymentCommands;
  stop(): Promise<void>;
}

async function openPath(prepare: (database: BenchDatabase) => Promise<unknown>): Promise<Path> {
  const database = await createBenchDatabase(CONNECTIONS);
  const { db } = database;
  await prepare(database);
  const relay = createRelay({ db, bus: IDLE_BUS, log });
  const onCommitted = (messages: Parameters<typeof relay.publish>[0]) => relay.publish(messages);
  const engine = createEngine({ db, kinds, clock: systemClock, log, onCommitted });
  return {
    database,
    engine,
    next: (await createWorkload(db)).next,
    async stop() {
      await engine.drain();
      await relay.stop();
      await database.drop();
    },
  };
}

function rate({ engine, next }: Path): Promise<number> {
  return throughput({ callers: CALLERS, durationMs: ROUND_MS }, async () => {
    const { start, events } = next();
    await engine.start(start);
    for (const event of events) await engine.deliver(event);
    return EVENTS_PER_PAYMENT;
  });
}

async function compareWritePaths(): Promise<void> {
  const parted = await openPath(({ db }) => {
    const earliest = new Date(systemClock.now() - 36 * 30 * DAY_MS);
    return sql`select make_month_partitions('journal_entry', ${earliest}, now() + interval '3 months')`.execute(db);
  });
  const whole = await openPath(makeWhole);
  for (const path of [parted, whole]) {
    await rate(path);
    await sql`analyze`.execute(path.database.db);
  }
  const [ofParted, ofWhole, ratios]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [first, second] = round % 2 === 0 ? [parted, whole] : [whole, parted];
    const [a, b] = [await rate(first), await rate(second)];
    const [inParts, inOne] = first === parted ? [a, b] : [b, a];
    ofParted.push(inParts);
    ofWhole.push(inOne);
    ratios.push(inParts / inOne);
  }
  print(`write path, ${CALLERS} callers: ${show(median(ofParted))} events/s with 40 months of partitions,`);
  const sorted = [...ratios].sort((a, b) => a - b);
  const spread = `${quantile(sorted, 0).toFixed(2)} to ${quantile(sorted, 0.99).toFixed(2)}`;
  print(
    `  ${show(median(ofWhole))} without any: ratio ${median(ratios).toFixed(2)} (median of ${ROUNDS} rounds, ${spread})`,
  );
  await whole.stop();
  await parted.stop();
}

/** The journal as one table, with the columns and indexes of the partitioned one. */
async function makeWhole({ db }: BenchDatabase): Promise<void> {
  await sql`create table whole_journal (like journal_entry including all)`.execute(db);
  await sql`drop table journal_entry`.execute(db);
  await sql`alter table whole_journal rename to journal_entry`.execute(db);
}

async function measurePayments(): Promise<void> {
  const path = await openPath(async () => {});
  const { db } = path.database;
  await makePartitions(db, 'actor_archive', systemClock.now());
  const payments = Array.from({ length: ARCHIVED_PAYMENTS }, path.next);
  for (const { start, events } of payments) {
    await path.engine.start(start);
    for (const event of events) await path.engine.deliver(event);
  }
  // The payments are over: the real events close their windows and end monitoring.
  const later = { now: () => systemClock.now() + 40 * DAY_MS };
  const closing = createEngine({ db, kinds, clock: later, log });
  for (const { start } of payments) {
    for (const [name, type] of ['timer.window_closed', 'timer.monitoring_ended'].entries()) {
      await closing.deliver({
        actorId: start.actorId,
        eventId: `closing:${name}`,
        event: { type, dueAt: later.now() },
      });
    }
  }
  await sql`vacuum full actor`.execute(db);
  for (const name of await leavesOf(path, 'journal_entry')) await sql`vacuum full ${sql.table(name)}`.execute(db);
  const running = { actor: await bytesOf(path, 'actor'), journal: await bytesOf(path, 'journal_entry') };
  const texts = await sql<{ bytes: number }>`select sum(length(event::text))::int8 as bytes from journal_entry`.execute(
    db,
  );
  const clock = { now: () => later.now() + 91 * DAY_MS };
  const start = performance.now();
  const archived = await archiveActors({ db, kinds, clock, log, archiveAfterDays: 90 }, { rejected: new Set() });
  const seconds = (performance.now() - start) / 1_000;
  if (archived !== ARCHIVED_PAYMENTS) throw new Error(`${archived} of ${ARCHIVED_PAYMENTS} payments were archived`);
  const packed = await sql<{
    bytes: number;
  }>`select sum(pg_column_size(journal))::int8 as bytes from actor_archive`.execute(db);
  const resting = { archive: await bytesOf(path, 'actor_archive'), names: await bytesOf(path, 'archived_actor') };
  const each = (bytes: number) => `${show(bytes / ARCHIVED_PAYMENTS)} B`;
  print(`a payment (start, seen, confirmed, window closed, monitoring ended), indexes included:`);
  print(`  its actor ${each(running.actor)}, its journal ${each(running.journal)}`);
  print(`  archived ${each(resting.archive)} and ${each(resting.names)} in the directory:`);
  const ratio = (running.actor + running.journal) / (resting.archive + resting.names);
  print(`  ${ratio.toFixed(1)} times smaller; its events ${each(texts.rows[0]?.bytes ?? 0)} of JSON, the packed`);
  print(
    `  journal ${each(packed.rows[0]?.bytes ?? 0)}; archived at ${show(archived / seconds)} actors/s by one process`,
  );
  await path.stop();
}

/** Rows through outbox and timers, a thousand at a time, as in a busy service. */
async function churn(isVacuumed: boolean): Promise<void> {
  const path = await openPath(async ({ db }) => {
    for (const table of ['outbox_message', 'timer']) {
      await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db);
    }
  });
  const { db } = path.database;
  const batches = CHURNED_ROWS / CHURN_BATCH;
  print(`${show(CHURNED_ROWS)} rows through outbox and timers, ${isVacuumed ? 'vacuumed as set' : 'never vacuumed'}:`);
  for (let batch = 1; batch <= batches; batch += 1) {
    await churnOnce(path, batch);
    if (isVacuumed && batch % BATCHES_PER_NAP === 0) await vacuumAsSet(path);
    if (batch % Math.ceil(batches / STEPS_SHOWN) !== 0) continue;
    const sizes = [await bytesOf(path, 'outbox_message'), await bytesOf(path, 'timer')];
    const sweepMs = await timed(() =>
      findOverdueMessages(db, { olderThanMs: 10_000, lostAfterMs: 300_000, limit: 500, except: [] }),
    );
    const leaseMs = await timed(() => leaseDueTimers(db, { now: systemClock.now(), leaseMs: 1, limit: 500 }));
    const [outbox, timer] = sizes.map((bytes) => `${((bytes ?? 0) / 1_048_576).toFixed(1)} MiB`);
    const times = `a sweep ${sweepMs.toFixed(1)} ms, a lease ${leaseMs.toFixed(1)} ms`;
    print(`  after ${show(batch * CHURN_BATCH)}: outbox ${outbox}, timers ${timer}; ${times}`);
  }
  await path.stop();
}

async function churnOnce({ database: { db } }: Path, batch: number): Promise<void> {
  const name = (n: string) => sql.raw(`'row-${batch}-' || ${n}`);
  await sql`
    insert into outbox_message (id, queue, partition, data)
    select ${name('n')}, 'actor-transaction', 0, ${SAMPLE}::jsonb from generate_series(1, ${CHURN_BATCH}::int4) as n`.execute(
    db,
  );
  await sql`
    insert into timer (actor_id, name, set_by_sequence, due_at, fires_at, queue, partition)
    select ${name('n')}, 'window_closed', 1, now(), now(), 'actor-transaction', 0
    from generate_series(1, ${CHURN_BATCH}::int4) as n`.execute(db);
  for (let left = CHURN_BATCH; left > 0; left -= 500) {
    await leaseDueTimers(db, { now: systemClock.now() + DAY_MS, leaseMs: DAY_MS, limit: 500 });
  }
  const ids = Array.from({ length: CHURN_BATCH }, (_, index) => `row-${batch}-${index + 1}`);
  await sql`delete from outbox_message where id = any(${ids}::text[])`.execute(db);
  await sql`delete from timer where actor_id = any(${ids}::text[])`.execute(db);
}

async function vacuumAsSet({ database: { db } }: Path): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables
    where relname in ('outbox_message', 'timer') and n_dead_tup >= ${VACUUM_THRESHOLD}`.execute(db);
  for (const { name } of rows) await sql`vacuum (analyze) ${sql.table(name)}`.execute(db);
}

// Helpers

const SAMPLE = JSON.stringify({
  actorId: 'txn_0000000000000000000000',
  eventId: 'chain:0:0:1',
  event: { type: 'x', n: 1 },
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let sample = 0; sample < 9; sample += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}

async function leavesOf({ database: { db } }: Path, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relid::regclass::text as name from pg_partition_tree(${table}::regclass) where isleaf`.execute(db);
  return rows.map(({ name }) => name);
}

/** Including its indexes, and those of its partitions. */
async function bytesOf({ database: { db } }: Path, table: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select sum(pg_total_relation_size(relid))::int8 as bytes from (
      select ${table}::regclass as relid union select relid from pg_partition_tree(${table}::regclass)
    ) as parts`.execute(db);
  return rows[0]?.bytes ?? 0;
}

const show = (value: number) => Math.round(value).toLocaleString('en-US');

await compareWritePaths();
await measurePayments();
await churn(true);
await churn(false);
