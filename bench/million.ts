import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { Pool } from 'undici';
import type { Database } from '../src/db/index.ts';
import { MAX_WINDOW_MINUTES } from '../src/merchants/index.ts';
import { COMPONENTS } from '../test/support/components.ts';
import { type Litecoind, startLitecoind } from '../test/support/litecoind.ts';
import { median, quantile } from './support/measure.ts';
import { copyOpenPayment, FILLED_NETWORK } from './support/open-payments.ts';
import { createDeployment, type Deployment } from './support/processes/deployment.ts';
import type { RoleProcess } from './support/processes/role.ts';
import { readSettings } from './support/settings.ts';
import { unhurried } from './support/unhurried.ts';

/**
 * The service with a million open payments in its database, against the same service with none,
 * both on one Postgres and NATS with each role in its own process and, where litecoind is
 * installed, a node of the network that all these payments are on:
 *
 * - time from process start to the log line that says it is running, and the CPU time used until
 *   then, which does not depend on other load on the machine
 * - resident memory after startup, and its peak while 100,000 timers fire
 * - duration of one create, in alternating rounds: read the ratio
 * - 100,000 payment windows that end within one second: how many have expired after how long, and
 *   that each expired once
 * - how small the heap of one process with api and worker may be
 */

const {
  BENCH_PAYMENTS: PAYMENTS,
  BENCH_DUE: DUE,
  BENCH_ROUNDS: ROUNDS,
  BENCH_CREATES: CREATES,
} = readSettings('The service with a million open payments: start, memory, creates and windows that end.', {
  BENCH_PAYMENTS: 1_000_000,
  BENCH_DUE: 100_000,
  BENCH_ROUNDS: 5,
  BENCH_CREATES: 200,
});
const HEAP_LIMITS_MB = [64, 96, 128, 192] as const;
const DUE_PER_HEAP_LIMIT = Math.min(20_000, Math.floor(PAYMENTS / 20));

const ROLES = ['api', 'worker', 'watcher'];
const CURVE_EVERY_MS = 2_000;
/** No payment expired for this long: the rest will not expire either. */
const STANDSTILL_MS = 90_000;
/** As the image and the systemd units start the service. */
const HEAP = { NODE_OPTIONS: '--max-old-space-size=128', MALLOC_ARENA_MAX: '2' };
const MAX_READY_MS = 5_000;
const MAX_RESIDENT_BYTES = 400 * 1_048_576;

async function main(): Promise<void> {
  const node = COMPONENTS.litecoind.isThere() ? await startLitecoind() : null;
  const deployments: Deployment[] = [];
  const removeAll = async () => {
    for (const each of deployments.splice(0)) await each.remove();
    await node?.stop();
  };
  const giveUp = () => void removeAll().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, giveUp);
  try {
    const open = async () => {
      const deployment = await createDeployment(chainSettings(node));
      deployments.push(deployment);
      return deployment;
    };
    await compare(await open(), await open());
  } finally {
    await removeAll();
  }
}

async function compare(empty: Deployment, full: Deployment): Promise<void> {
  // The first start creates the schema, the wallets and the streams, so it is not measured.
  for (const deployment of [empty, full]) await stopAll(await startAll(deployment));
  await fill(full);

  const small = await startAll(empty);
  const large = await startAll(full);
  print(`\n${show(PAYMENTS)} open payments; load average ${loadAverage()}`);
  print('| process | ready, empty | ready, full | processor time, empty | full | resident, empty | full |');
  print('|---|---|---|---|---|---|---|');
  for (const [place, role] of ROLES.entries()) {
    const [one, other] = [small[place], large[place]];
    if (one === undefined || other === undefined) throw new Error('a process is missing');
    const readings = [await one.read({ collect: true }), await other.read({ collect: true })];
    const cells = [
      ...[one, other].map(({ readyMs }) => seconds(readyMs)),
      ...[one, other].map(({ readyCpuMs }) => seconds(readyCpuMs)),
      ...readings.map(({ residentBytes }) => megabytes(residentBytes)),
    ];
    print(`| ${role} | ${cells.join(' | ')} |`);
  }
  check('every process is ready', Math.max(...large.map(({ readyMs }) => readyMs)) < MAX_READY_MS, 'in under 5 s');

  await compareCreates([empty, small], [full, large]);
  await expireMany(full, large);
  await stopAll([...small, ...large]);

  const both = await full.start('api,worker', HEAP);
  print(`\napi and worker in one process: ready in ${seconds(both.readyMs)}, ${await resident(both)} resident`);
  await both.stop();
  await shrinkHeap(full);
}

async function fill({ database: { db }, ...deployment }: Deployment): Promise<void> {
  // Nothing may expire during the bench.
  const settings = JSON.stringify({ windowMinutes: MAX_WINDOW_MINUTES });
  await db.updateTable('merchant').set({ settings }).where('id', '=', deployment.merchantId).execute();
  const api = await deployment.start('api');
  const transactionId = await create(new Pool(api.url), deployment.keys.sk_test);
  await api.stop();
  const startedAt = performance.now();
  await copyOpenPayment(db, { transactionId, copies: PAYMENTS });
  print(`filled ${show(PAYMENTS)} open payments in ${seconds(performance.now() - startedAt)}`);
}

/** Creates one at a time, so that this measures the latency of one create and not of a queue. */
async function compareCreates(...sides: (readonly [Deployment, readonly RoleProcess[]])[]): Promise<void> {
  const measured = sides.map(([deployment, [api]]) => ({
    pool: new Pool(api?.url ?? '', { connections: 1 }),
    key: deployment.keys.sk_test,
    p50: [] as number[],
    p99: [] as number[],
  }));
  for (const { pool, key } of measured) for (let count = 0; count < CREATES; count += 1) await create(pool, key);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { pool, key, p50, p99 } of measured) {
      const times: number[] = [];
      for (let count = 0; count < CREATES; count += 1) {
        const startedAt = performance.now();
        await create(pool, key);
        times.push(performance.now() - startedAt);
      }
      times.sort((a, b) => a - b);
      p50.push(quantile(times, 0.5));
      p99.push(quantile(times, 0.99));
    }
  }
  const [empty, full] = measured.map(({ p50, p99 }) => ({ p50: median(p50), p99: median(p99) }));
  if (empty === undefined || full === undefined) throw new Error('a side is missing');
  print(`\n| create, one at a time, ${ROUNDS} rounds of ${CREATES} each | p50 | p99 |`);
  print('|---|---|---|');
  print(`| no open payments | ${empty.p50.toFixed(1)} ms | ${empty.p99.toFixed(1)} ms |`);
  print(`| ${show(PAYMENTS)} | ${full.p50.toFixed(1)} ms | ${full.p99.toFixed(1)} ms |`);
  print(`| ratio | ${(full.p50 / empty.p50).toFixed(2)} | ${(full.p99 / empty.p99).toFixed(2)} |`);
  await Promise.all(measured.map(({ pool }) => pool.close()));
}

async function expireMany({ database: { db } }: Deployment, processes: readonly RoleProcess[]): Promise<void> {
  const { curve, doneMs } = await expire(db, DUE);
  print(`\n${show(DUE)} windows that end within one second, one worker:`);
  print('seconds,expired');
  for (const { ms, expired } of curve) print(`${(ms / 1_000).toFixed(1)},${expired}`);
  print(plot(curve));
  const last = curve.at(-1)?.expired ?? 0;
  check(
    'all of them expired',
    last === DUE,
    `${show(last)} in ${seconds(doneMs)}, ${show((1_000 * last) / doneMs)} a second`,
  );
  const { rows } = await sql<{ fired: number; actors: number }>`
    select count(*) as fired, count(distinct actor_id) as actors from journal_entry
    where event_type = 'timer.window_closed' and outcome = 'applied'`.execute(db);
  check('each once', rows[0]?.fired === DUE && rows[0].actors === DUE, `${rows[0]?.fired} firings in journals`);
  let together = 0;
  for (const each of processes) {
    const { peakResidentBytes } = await each.read();
    print(
      `  ${each.roles}: at most ${megabytes(peakResidentBytes)} resident, ${await resident(each)} after a collection`,
    );
    if (each.roles !== 'watcher') together += peakResidentBytes;
  }
  check('api and worker together', together < MAX_RESIDENT_BYTES, `at most ${megabytes(together)}, limit 400 MB`);
}

/** Ends the windows of `count` copies within the next second, and waits until all have expired. */
async function expire(db: Kysely<Database>, count: number): Promise<{ curve: CurvePoint[]; doneMs: number }> {
  // Stands in for the watcher of a node, since there may be none.
  await sql`insert into watermark (gate, reached_at) values (${FILLED_NETWORK}, now())
    on conflict (gate) do update set reached_at = greatest(watermark.reached_at, excluded.reached_at)`.execute(db);
  const before = await countExpired(db);
  // Moves the actors' clocks forward, as a test key may, so that their charts stay consistent.
  const setForward = sql`
    with chosen as (
      select actor_id, due_at - (now() + (row_number() over () % 1000) * interval '1 millisecond') as ahead from timer
      where gate = ${FILLED_NETWORK} and name = 'window_closed' order by actor_id limit ${count}
    ), moved as (
      update actor set clock_offset_ms = round(extract(epoch from ahead) * 1000) from chosen where id = actor_id
    )
    update timer set fires_at = fires_at - make_interval(secs => round(extract(epoch from ahead) * 1000) / 1000.0)
    from chosen where timer.actor_id = chosen.actor_id and timer.name = 'window_closed'`;
  await unhurried(db, (connection) => setForward.execute(connection));
  await sql`update watermark set reached_at = now() + interval '2 days' where gate = ${FILLED_NETWORK}`.execute(db);
  const startedAt = performance.now();
  const curve: CurvePoint[] = [{ ms: 0, expired: 0 }];
  for (let movedAt = startedAt; ; await sleep(CURVE_EVERY_MS)) {
    const [expired, ms] = [(await countExpired(db)) - before, performance.now() - startedAt];
    if (expired > (curve.at(-1)?.expired ?? 0)) movedAt = performance.now();
    curve.push({ ms, expired });
    if (expired >= count || performance.now() - movedAt > STANDSTILL_MS) return { curve, doneMs: ms };
  }
}

/** The same work with less and less heap, until the process does not survive it. */
async function shrinkHeap(full: Deployment): Promise<void> {
  print(
    `\n| --max-old-space-size, api and worker in one process | ready | resident after the start | at most, with ${show(DUE_PER_HEAP_LIMIT)} windows ending |`,
  );
  print('|---|---|---|---|');
  for (const limit of HEAP_LIMITS_MB.toReversed()) {
    const started = await full
      .start('api,worker', { NODE_OPTIONS: `--max-old-space-size=${limit}` })
      .catch((error: Error) => error);
    if (started instanceof Error) {
      print(`| ${limit} MB | does not start | | |`);
      return;
    }
    const atRest = await resident(started);
    const { curve } = await expire(full.database.db, DUE_PER_HEAP_LIMIT);
    const reading = await started.read().catch(() => null);
    const done = (curve.at(-1)?.expired ?? 0) >= DUE_PER_HEAP_LIMIT;
    const peak = reading === null ? 'did not survive' : megabytes(reading.peakResidentBytes);
    print(`| ${limit} MB | ${seconds(started.readyMs)} | ${atRest} | ${peak}${done ? '' : ', NOT all'} |`);
    await started.stop();
  }
}

// Helpers

interface CurvePoint {
  readonly ms: number;
  readonly expired: number;
}

function chainSettings(node: Litecoind | null): Record<string, string> {
  return node === null ? {} : { LTC_NETWORK: 'regtest', LTC_RPC_URL: node.rpcUrl };
}

async function startAll(deployment: Deployment): Promise<RoleProcess[]> {
  const processes: RoleProcess[] = [];
  for (const role of ROLES) processes.push(await deployment.start(role, HEAP));
  return processes;
}

async function stopAll(processes: readonly RoleProcess[]): Promise<void> {
  await Promise.all(processes.map((each) => each.stop()));
}

async function create(pool: Pool, key: string): Promise<string> {
  const { statusCode, body } = await pool.request({
    path: '/v1/transactions/create',
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ crypto: 'LTC', amount: 25 }),
  });
  const answer = (await body.json()) as { data?: { transaction_id: string } };
  if (statusCode !== 201 || answer.data === undefined)
    throw new Error(`create was answered ${statusCode}: ${JSON.stringify(answer)}`);
  return answer.data.transaction_id;
}

/** From the counts that are kept with the actors. */
async function countExpired(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(actors), 0)::int8 as count from actor_count
    where kind = 'transaction' and state like 'expired%'`.execute(db);
  return rows[0]?.count ?? 0;
}

async function resident(process: RoleProcess): Promise<string> {
  return megabytes((await process.read({ collect: true })).residentBytes);
}

const PLOT_ROWS = 12;
const PLOT_COLUMNS = 60;

function plot(curve: readonly CurvePoint[]): string {
  const end = curve.at(-1);
  if (end === undefined || end.expired === 0) return '';
  const lines: string[] = [];
  for (let row = 1; row <= PLOT_ROWS; row += 1) {
    const at = (end.ms * row) / PLOT_ROWS;
    const expired = curve.filter(({ ms }) => ms <= at).at(-1)?.expired ?? 0;
    lines.push(
      `${seconds(at).padStart(8)} ${'#'.repeat(Math.round((PLOT_COLUMNS * expired) / end.expired))} ${show(expired)}`,
    );
  }
  return lines.join('\n');
}

function loadAverage(): string {
  return `${(loadavg()[0] ?? 0).toFixed(1)} on ${cpus().length} cores`;
}

function check(what: string, holds: boolean, figure: string): void {
  print(`${holds ? 'holds' : 'DOES NOT HOLD'}: ${what} ${figure}`);
  if (!holds) process.exitCode = 1;
}

const show = (value: number) => Math.round(value).toLocaleString('en-US');
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
