import { sql } from 'kysely';
import { listStatement } from '../../src/payments/list-statement.ts';
import { VIEW_COLUMNS, withPayments } from '../../src/payments/read-views.ts';
import { startChild } from '../support/child.ts';
import { fire, type Load, middle, type Target } from '../support/load.ts';
import { readSettings } from '../support/settings.ts';
import type { BareSettings } from './bare-server.ts';
import { filledId } from './fill.ts';
import { createInstallation, type Installation, POOL_SIZE } from './installation.ts';

/**
 * Requests per second and latency of get, list (pages of 100) and create over HTTP on 64 keep-alive
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

const CONNECTIONS = 64;
const {
  BENCH_ROUND_SECONDS: ROUND_SECONDS,
  BENCH_ROUNDS: ROUNDS,
  BENCH_ROWS: ROWS,
} = readSettings('Requests per second of get, list and create over HTTP, against a bare Fastify route.', {
  BENCH_ROUND_SECONDS: 4,
  BENCH_ROUNDS: 3,
  BENCH_ROWS: '10000,100000,1000000',
});
/** A merchant's payments; get and create use the last one. */
const SIZES = ROWS.split(',').map(Number);
const PAGE = { limit: 100, offset: 0 };

async function main(): Promise<void> {
  const removals: (() => Promise<void>)[] = [];
  try {
    const installations: Installation[] = [];
    for (const rows of SIZES) {
      const installation = await createInstallation(rows);
      removals.push(() => installation.remove());
      installations.push(installation);
    }
    const largest = installations.at(-1);
    if (largest === undefined) throw new Error('BENCH_ROWS must name a number of rows');
    const ours = {
      lists: installations.map((installation) => ({ installation, target: ourList(installation) })),
      get: ourGet(largest),
      create: ourCreate(largest),
    };
    for (const { installation, target } of ours.lists) await requireWholePage(installation, target);
    const bare = await startBare(largest, {
      GET_BYTES: await bytesOf(ours.get),
      LIST_BYTES: await bytesOf(ourList(largest)),
      CREATE_BYTES: await bytesOf(ours.create),
    });
    removals.push(() => bare.stop());

    const ceiling = {
      name: 'nothing',
      target: { ...bare.get, next: () => ({ path: '/nothing', method: 'GET' as const }) },
    };
    const lists = ours.lists.map(({ installation: { rows }, target }) => ({ name: listName(rows), target }));
    // Creates run last: they add to the rows that the others read.
    const results = new Map([
      ...(await compare([ceiling, { name: 'get', target: ours.get }, { name: 'bare get', target: bare.get }])),
      ...(await compare([...lists, { name: 'bare list', target: bare.list }])),
      ...(await compare([
        { name: 'create', target: ours.create },
        { name: 'bare create', target: bare.create },
      ])),
    ]);
    report(results);
    await explain(largest);
  } finally {
    for (const remove of removals.toReversed()) await remove();
  }
}

/** Alternating rounds of all contestants, after one warm-up round that is not counted. */
async function compare(contestants: readonly { name: string; target: Target }[]): Promise<Map<string, Load>> {
  const rounds = new Map<string, Load[]>(contestants.map(({ name }) => [name, []]));
  for (const { target } of contestants) await fire(target, { connections: CONNECTIONS, seconds: 1 });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { name, target } of contestants) {
      rounds.get(name)?.push(await fire(target, { connections: CONNECTIONS, seconds: ROUND_SECONDS }));
    }
  }
  return new Map([...rounds].map(([name, loads]) => [name, middle(loads)]));
}

function report(results: ReadonlyMap<string, Load>): void {
  const of = (name: string): Load => {
    const load = results.get(name);
    if (load === undefined) throw new Error(`nothing was measured of "${name}"`);
    return load;
  };
  const largestList = listName(SIZES.at(-1) ?? 0);
  print('');
  for (const [name, load] of results) print(line(name, load));
  print('');
  for (const [name, baseline] of [
    ['get', 'bare get'],
    [largestList, 'bare list'],
    ['create', 'bare create'],
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
async function explain({ database: { db }, merchantId, rows }: Installation): Promise<void> {
  const statement = withPayments(listStatement({ merchantId, mode: 'live' }, PAGE, VIEW_COLUMNS));
  const plan = await sql<Record<string, string>>`explain (analyze, buffers) ${statement}`.execute(db);
  print('');
  print(`${listName(rows)}, as the database runs it:`);
  for (const row of plan.rows) print(`  ${row['QUERY PLAN']}`);
}

// Helpers

function ourTarget({ service }: Installation, key: string): Omit<Target, 'next'> {
  return {
    url: service.url,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    status: 200,
  };
}

function ourGet(installation: Installation): Target {
  return {
    ...ourTarget(installation, installation.keys.sk_live),
    next: () => ({ path: `/v1/transactions/${anyId(installation.rows)}`, method: 'GET' }),
  };
}

function ourList(installation: Installation): Target {
  return {
    ...ourTarget(installation, installation.keys.sk_live),
    next: () => ({ path: `/v1/transactions/list?limit=${PAGE.limit}`, method: 'GET' }),
  };
}

const ORDER = JSON.stringify({ crypto: 'LTC', amount: 25.5, metadata: { cart: 'bench' } });

function ourCreate(installation: Installation): Target {
  return {
    // On the simulated network: a live create needs a node, which this bench has not, and does the
    // same work.
    ...ourTarget(installation, installation.keys.sk_test),
    status: 201,
    next: () => ({ path: '/v1/transactions/create', method: 'POST', body: ORDER }),
  };
}

async function startBare(
  { database, merchantId, rows }: Installation,
  bytes: Pick<BareSettings, 'GET_BYTES' | 'LIST_BYTES' | 'CREATE_BYTES'>,
) {
  const settings: BareSettings = {
    DATABASE_URL: database.url,
    POOL_SIZE: String(POOL_SIZE),
    MERCHANT_ID: merchantId,
    ...bytes,
  };
  const { url, stop } = await startChild(new URL('./bare-server.js', import.meta.url), settings);
  const common = { url, headers: { 'content-type': 'application/json' }, status: 200 };
  const get: Target = { ...common, next: () => ({ path: `/transactions/${anyId(rows)}`, method: 'GET' }) };
  const list: Target = { ...common, next: () => ({ path: '/transactions', method: 'GET' }) };
  const create: Target = {
    ...common,
    status: 201,
    next: () => ({ path: '/transactions', method: 'POST', body: ORDER }),
  };
  return { get, list, create, stop };
}

function anyId(rows: number): string {
  return filledId(1 + Math.floor(Math.random() * rows));
}

/** Sends one request. */
async function answerTo({ url, headers, status, next }: Target): Promise<string> {
  const { path, method, body } = next();
  const answer = await fetch(`${url}${path}`, { method, headers, body: body ?? null });
  const text = await answer.text();
  if (answer.status !== status) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
  return text;
}

async function bytesOf(target: Target): Promise<string> {
  return String((await answerTo(target)).length);
}

/** An incomplete list would be fast for the wrong reason. */
async function requireWholePage({ rows }: Installation, target: Target): Promise<void> {
  const { data } = JSON.parse(await answerTo(target)) as {
    data: { transactions: { transaction_id: string; payments: unknown[] }[]; pagination: { total: number } };
  };
  const { transactions, pagination } = data;
  const isNewestFirst = transactions.every(({ transaction_id: id }, place) => id === filledId(rows - place));
  const paid = transactions.filter(({ payments }) => payments.length === 1).length;
  if (transactions.length !== PAGE.limit || pagination.total !== rows || !isNewestFirst || paid < PAGE.limit / 2) {
    throw new Error(`the list of ${rows} is not what was filled in`);
  }
}

function listName(rows: number): string {
  return `list of ${rows.toLocaleString('en-US')}`;
}

function line(name: string, { perSecond, p50Ms, p99Ms }: Load): string {
  const rate = Math.round(perSecond).toLocaleString('en-US').padStart(7);
  return `${name.padEnd(18)} ${rate} requests/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)} ×`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

await main();
