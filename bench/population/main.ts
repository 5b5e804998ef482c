import { sql } from 'kysely';
import { listActors, type OperationsDeps, readPopulation } from '../../src/operations/index.ts';
import { createTransactionKind } from '../../src/payments/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createKindRegistry } from '../../src/platform/engine/index.ts';
import { createDeliveryKind } from '../../src/webhooks/index.ts';
import { createBenchDatabase } from '../support/database.ts';
import { latency } from '../support/measure.ts';
import { print } from '../support/print.ts';
import { readSettings } from '../support/settings.ts';

/**
 * The operator's population view and its lists with a million actors: how long they take, and the
 * query plan of the slowest part of the population. Then the same with two million more actors in
 * final states, which must cost nothing.
 */

const { BENCH_ACTORS: ACTIVE } = readSettings("The operator's population view on a million actors.", {
  BENCH_ACTORS: 1_000_000,
});
const CLOSED = 2 * ACTIVE;
const RUNS = 50;
const ROWS_AT_ONCE = 100_000;
const POOL_SIZE = 4;

/** Where payments rest: most are paid and watched, some are in progress. */
const RESTING = [
  ['open.awaitingPayment', 5],
  ['open.partiallyPaid', 1],
  ['open.inReview', 1],
  ['confirming', 5],
  ['completed', 60],
  ['expired.watching', 20],
  ['expired.paidLate', 1],
  ['failed', 7],
] as const;
const ENDED = [['closedCompleted', 1]] as const;

async function main(): Promise<void> {
  const database = await createBenchDatabase(POOL_SIZE);
  const { db } = database;
  const kinds = createKindRegistry([createTransactionKind({ publicUrl: 'https://pay.example' }), createDeliveryKind()]);
  const deps: OperationsDeps = { db, kinds, clock: systemClock };
  try {
    await fill(db, { count: ACTIVE, states: RESTING, status: 'active', name: 'active' });
    await measure(deps, `${ACTIVE} resting`);
    await explain(deps);
    await fill(db, { count: CLOSED, states: ENDED, status: 'done', name: 'closed' });
    await measure(deps, `${ACTIVE} resting, ${CLOSED} at their end`);
  } finally {
    await database.drop();
  }
}

// Helpers

interface Filling {
  readonly count: number;
  readonly states: readonly (readonly [string, number])[];
  readonly status: 'active' | 'done';
  readonly name: string;
}

/** Each actor has been in its state since its own moment of the last 29 days. */
async function fill(db: OperationsDeps['db'], { count, states, status, name }: Filling): Promise<void> {
  const wheel = states.flatMap(([state, share]) => Array.from({ length: share }, () => state));
  for (let first = 1; first <= count; first += ROWS_AT_ONCE) {
    await sql`
      insert into actor (id, kind, version, state, status, snapshot, sequence, created_at, updated_at, state_entered_at)
      select 'txn_' || left(md5(${name}::text || number), 26), 'transaction', '1',
        (${wheel}::text[])[1 + number % ${wheel.length}], ${status}, '{"value":"x","context":{},"status":"active"}', 5,
        since, since, since
      from generate_series(${first}::int8, ${Math.min(count, first + ROWS_AT_ONCE - 1)}::int8) as series (number)
      cross join lateral (select date_trunc('milliseconds', now()) - (number * 7919 % 2505600) * interval '1 second' as since) as moment`.execute(
      db,
    );
  }
  await sql`vacuum analyze actor`.execute(db);
  await sql`checkpoint`.execute(db);
}

async function measure(deps: OperationsDeps, what: string): Promise<void> {
  const list = (state?: string) => {
    const filter = { kind: 'transaction', ...(state === undefined ? {} : { state }) };
    return listActors(deps, { filter, cursor: null, limit: 50 });
  };
  print(`\n${what}`);
  print(`population:               ${line(await latency(RUNS, () => readPopulation(deps, 'transaction')))}`);
  print(`first page of all:        ${line(await latency(RUNS, () => list()))}`);
  print(`first page of a state:    ${line(await latency(RUNS, () => list('completed')))}`);
}

/** For the largest state, which is estimated from a sample. */
async function explain({ db }: OperationsDeps): Promise<void> {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain (analyze, buffers, costs off)
    select percentile_disc(0.5) within group (order by state_entered_at) from actor
    where kind = 'transaction' and state = 'completed' and substr(md5(id), 1, 2) in ('00', '01', '02', '03')`.execute(
    db,
  );
  for (const row of rows) print(`  ${row['QUERY PLAN']}`);
}

function line({ p50Ms, p99Ms }: { readonly p50Ms: number; readonly p99Ms: number }): string {
  return `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
}

await main();
