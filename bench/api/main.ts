import { sql } from 'kysely';
import { listStatement } from '../../src/payments/search/list-transactions.ts';
import { VIEW_COLUMNS } from '../../src/payments/view/merchant-view.ts';
import { withPayments } from '../../src/payments/view/read-views.ts';
import { alternate, printLoads } from '../support/alternate.ts';
import { bytesOf, responseTo, startBare } from '../support/bare.ts';
import type { MeasuredLoad } from '../support/load.ts';
import { print } from '../support/print.ts';
import { readSettings } from '../support/settings.ts';
import { filledId } from './fill.ts';
import { anyId, createFilledInstallation, type FilledInstallation, PAGE } from './targets.ts';

/**
 * Requests per second, latency and cost of get and list (pages of 100) over HTTP on 64 keep-alive
 * connections:
 *
 * - ours: the service as operators start it, api and worker, for merchants with 10 k, 100 k and 1 M
 *   payments, each in its own database; every request includes key lookup, request counting,
 *   validation and the full view
 * - baseline: a bare Fastify route with one prepared statement on the same rows and a response of
 *   the same size
 * - ceiling of the load generator: a route that does nothing
 *
 * Server, baseline and load generator share the processors and Postgres, so rounds alternate and
 * medians are compared: read the ratios.
 */

const {
  BENCH_ROUND_MS: ROUND_MS,
  BENCH_ROUNDS: ROUNDS,
  BENCH_ROWS: ROWS,
} = readSettings('Requests per second of get and list over HTTP and their costs, against a bare Fastify route.', {
  BENCH_ROUND_MS: 4_000,
  BENCH_ROUNDS: 3,
  BENCH_ROWS: '10000,100000,1000000',
});
/** A merchant's payments; get uses the last one. */
const SIZES = ROWS.split(',').map(Number);
const LOAD = { callers: 64, durationMs: ROUND_MS, rounds: ROUNDS };

async function main(): Promise<void> {
  const removals: (() => Promise<void>)[] = [];
  try {
    const installations: FilledInstallation[] = [];
    for (const rows of SIZES) {
      const installation = await createFilledInstallation(rows);
      removals.push(() => installation.remove());
      await requireWholePage(installation);
      installations.push(installation);
    }
    const largest = installations.at(-1);
    if (largest === undefined) throw new Error('BENCH_ROWS must name a number of rows');
    const sizes = { GET_BYTES: await bytesOf(largest.get), LIST_BYTES: await bytesOf(largest.list) };
    const bare = await startBare(largest, sizes);
    removals.push(() => bare.stop());

    const { meter } = bare;
    const results = new Map([
      ...(await alternate(
        [
          { name: 'nothing', meter, target: bare.get(() => '/nothing') },
          { name: 'get', meter: largest.meter, target: largest.get },
          { name: 'bare get', meter, target: bare.get(() => `/transactions/${anyId(largest.rows)}`) },
        ],
        LOAD,
      )),
      ...(await alternate(
        [
          ...installations.map((each) => ({ name: listName(each.rows), meter: each.meter, target: each.list })),
          { name: 'bare list', meter, target: bare.get(() => '/transactions') },
        ],
        LOAD,
      )),
    ]);
    report(results);
    await explain(largest);
  } finally {
    for (const remove of removals.toReversed()) await remove();
  }
}

function report(results: ReadonlyMap<string, MeasuredLoad>): void {
  const of = (name: string): MeasuredLoad => {
    const load = results.get(name);
    if (load === undefined) throw new Error(`nothing was measured for "${name}"`);
    return load;
  };
  printLoads('request', results);
  print('');
  for (const [name, baseline] of [
    ['get', 'bare get'],
    [listName(SIZES.at(-1) ?? 0), 'bare list'],
  ] as const) {
    const { perSecond, p99Ms } = of(name);
    const ratio = Math.round((100 * perSecond) / of(baseline).perSecond);
    print(`${name}: ${ratio} % of the baseline's requests/s, ${times(p99Ms / of(baseline).p99Ms)} its p99`);
  }
  const smallest = of(listName(SIZES[0] ?? 0));
  for (const rows of SIZES) {
    const { perSecond, p99Ms } = of(listName(rows));
    print(
      `${listName(rows)}: ${times(smallest.perSecond / perSecond)} the cost of the smallest, ${times(p99Ms / smallest.p99Ms)} its p99`,
    );
  }
}

/** Query plan for one page of the largest list. */
async function explain({ database: { db }, merchantId, rows }: FilledInstallation): Promise<void> {
  const statement = withPayments(listStatement({ merchantId, mode: 'live' }, PAGE, VIEW_COLUMNS));
  const plan = await sql<Record<string, string>>`explain (analyze, buffers) ${statement}`.execute(db);
  print('');
  print(`${listName(rows)}, as the database runs it:`);
  for (const row of plan.rows) print(`  ${row['QUERY PLAN']}`);
}

// Helpers

/** An incomplete list would be fast for the wrong reason. */
async function requireWholePage({ rows, list }: FilledInstallation): Promise<void> {
  const { data } = JSON.parse(await responseTo(list)) as {
    data: { transactions: { transaction_id: string; payments: unknown[] }[]; pagination: { total: number } };
  };
  const { transactions, pagination } = data;
  const isNewestFirst = transactions.every(({ transaction_id: id }, index) => id === filledId(rows - index));
  const paid = transactions.filter(({ payments }) => payments.length === 1).length;
  if (transactions.length !== PAGE.limit || pagination.total !== rows || !isNewestFirst || paid < PAGE.limit / 2) {
    throw new Error(`the list of ${rows} is not what was filled in`);
  }
}

function listName(rows: number): string {
  return `list of ${rows.toLocaleString('en-US')}`;
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)} ×`;
}

await main();
