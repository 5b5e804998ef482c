import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createUserWithPassword } from '../../src/accounts/index.ts';
import { type Litecoind, startLitecoind } from '../../test/support/nodes/litecoind.ts';
import { COMPONENTS } from '../../test/support/run/components.ts';
import { print } from '../support/print.ts';
import { createDeployment, type Deployment, withDeployment } from '../support/processes/deployment.ts';
import type { ProcessReading } from '../support/processes/observed.ts';
import type { RoleProcess } from '../support/processes/role.ts';
import { readSettings } from '../support/settings.ts';
import { type Point, type Trend, trendOf } from './trend.ts';

/**
 * What the idle service costs with everything on: api, worker and watcher in their own processes on
 * Postgres and NATS, a litecoind on regtest, a merchant page with live updates, an open payment
 * page, and metrics scraped every 15 s where the service offers them. It takes `BENCH_MINUTES`.
 *
 * - CPU time of each process as a share of one core. It is the process's own time, so other load on
 *   the machine changes it little
 * - memory after a full collection, open files and database connections at twenty moments; the rule
 *   of `trendOf` decides whether they grow, over the readings after the first fifth of the run, in
 *   which code is compiled and caches fill
 */

const { BENCH_MINUTES: MINUTES, BENCH_MONITOR_PORT: MONITOR_PORT } = readSettings(
  'What the service costs while nothing happens, and whether anything grows.',
  { BENCH_MINUTES: 20, BENCH_MONITOR_PORT: 19_464 },
);
const READINGS = 20;
const WARM_UP_SHARE = 0.2;
const SCRAPE_EVERY_MS = 15_000;
const MAX_IDLE_SHARE = 0.02;

interface Reading extends ProcessReading {
  readonly minutes: number;
  readonly files: number;
}

async function main(): Promise<void> {
  const node = COMPONENTS.litecoind.isThere() ? await startLitecoind() : null;
  if (node === null) print('litecoind is not installed (apt-get install litecoind): the watcher follows no chain');
  try {
    await withDeployment(await createDeployment(chainSettings(node)), soak);
  } finally {
    await node?.stop();
  }
}

async function soak(deployment: Deployment): Promise<void> {
  const roles = ['api', 'worker', 'watcher'];
  const processes: RoleProcess[] = [];
  for (const [index, role] of roles.entries()) {
    processes.push(await deployment.start(role, { MONITOR_PORT: String(MONITOR_PORT + index) }));
  }
  const [api] = processes;
  if (api === undefined) throw new Error('nothing runs');
  const leaving = new AbortController();
  await openPages(deployment, api, leaving.signal);
  const scraped = scrape(roles.length, leaving.signal);

  const readings = new Map<RoleProcess, Reading[]>(processes.map((each) => [each, []]));
  const connections: Point[] = [];
  const startedAt = performance.now();
  for (let count = 0; count <= READINGS; count += 1) {
    await sleep(Math.max(0, startedAt + (count * MINUTES * 60_000) / READINGS - performance.now()));
    const minutes = (performance.now() - startedAt) / 60_000;
    for (const each of processes) {
      const files = await each.countFiles();
      readings.get(each)?.push({ ...(await each.read({ collect: true })), minutes, files });
    }
    connections.push({ minutes, value: await countConnections(deployment) });
  }
  leaving.abort();

  print(
    `\n${MINUTES} minutes idle, ${await scraped} scrapes of metrics, database connections ${connections.at(-1)?.value}`,
  );
  print('| process | CPU of one core | resident | heap | files | verdict |');
  print('|---|---|---|---|---|---|');
  let total = 0;
  for (const [{ roles: role }, all] of readings) {
    const share = cpuShare(all);
    total += share;
    const last = all.at(-1);
    if (last === undefined) throw new Error('nothing was read');
    print(
      `| ${role} | ${percent(share)} | ${megabytes(last.residentBytes)} | ${megabytes(last.heapBytes)} | ${last.files} | ${verdict(all)} |`,
    );
  }
  print(`| together | ${percent(total)} | | | | ${total < MAX_IDLE_SHARE ? 'below' : 'ABOVE'} 2 % |`);
  print('\ndetails (per hour, by the line through the readings after the warm-up):');
  for (const [{ roles: role }, all] of readings) {
    for (const [name, pick] of QUANTITIES) print(`  ${role} ${name}: ${describe(trendOf(settled(all, pick)))}`);
  }
  print(`  connections: ${describe(trendOf(afterWarmUp(connections)))}`);
  print('\nminutes,process,heap bytes,resident bytes,files');
  for (const [{ roles: role }, all] of readings) {
    for (const { minutes, heapBytes, residentBytes, files } of all) {
      print(`${minutes.toFixed(1)},${role},${heapBytes},${residentBytes},${files}`);
    }
  }
}

// Helpers

const QUANTITIES = [
  ['resident', (reading: Reading) => reading.residentBytes],
  ['heap', (reading: Reading) => reading.heapBytes],
  ['external', (reading: Reading) => reading.externalBytes],
  ['files', (reading: Reading) => reading.files],
] as const;

function chainSettings(node: Litecoind | null): Record<string, string> {
  return node === null ? {} : { LTC_NETWORK: 'regtest', LTC_RPC_URL: node.rpcUrl };
}

/** A merchant with the payment list open, and a customer with an open payment, until the end. */
async function openPages(
  { database, merchantId, keys }: Deployment,
  api: RoleProcess,
  signal: AbortSignal,
): Promise<void> {
  const { email, password } = await database.db
    .transaction()
    .execute((trx) =>
      createUserWithPassword(
        { trx, who: 'bench', now: Date.now() },
        { email: 'owner@example.com', role: 'owner', merchantId },
      ),
    );
  const headers = { 'x-quittance-console': '1', origin: api.url, 'content-type': 'application/json' };
  const signIn = await fetch(`${api.url}/console/api/sign-in`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  });
  const cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  await hold(`${api.url}/console/api/merchant/live`, { ...headers, cookie }, signal);
  const created = await fetch(`${api.url}/v1/transactions/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.sk_test}`, 'content-type': 'application/json' },
    body: JSON.stringify({ crypto: 'LTC', amount: 25 }),
  });
  const { data } = (await created.json()) as { data: { transaction_id: string } };
  await hold(`${api.url}/transaction/${data.transaction_id}/events`, {}, signal);
}

/** Reads an event stream until the signal aborts. */
async function hold(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' }, signal });
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    throw new Error(`${url} returned ${response.status} ${await response.text()}`);
  }
  const reader = response.body?.getReader();
  const read = async () => {
    while (reader !== undefined && !(await reader.read()).done);
  };
  read().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Resolves with the number of successful scrapes. */
async function scrape(ports: number, signal: AbortSignal): Promise<number> {
  let responded = 0;
  while (!signal.aborted) {
    for (let index = 0; index < ports; index += 1) {
      const answer = await fetch(`http://127.0.0.1:${MONITOR_PORT + index}/metrics`, { signal }).catch(() => null);
      if (answer?.ok === true && (await answer.text()) !== '') responded += 1;
    }
    await sleep(SCRAPE_EVERY_MS, undefined, { signal }).catch(() => {});
  }
  return responded;
}

async function countConnections({ database }: Deployment): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity where datname = current_database()`.execute(database.db);
  return rows[0]?.count ?? 0;
}

function afterWarmUp<T extends { readonly minutes: number }>(all: readonly T[]): T[] {
  return all.filter(({ minutes }) => minutes >= MINUTES * WARM_UP_SHARE);
}

function settled(all: readonly Reading[], pick: (reading: Reading) => number): Point[] {
  return afterWarmUp(all).map((reading) => ({ minutes: reading.minutes, value: pick(reading) }));
}

/** Share of one core, after the warm-up. */
function cpuShare(all: readonly Reading[]): number {
  const rest = afterWarmUp(all);
  const [first, last] = [rest[0], rest.at(-1)];
  if (first === undefined || last === undefined) throw new Error('the run was too short');
  return (last.cpuMs - first.cpuMs) / ((last.minutes - first.minutes) * 60_000);
}

function verdict(all: readonly Reading[]): string {
  const growing = QUANTITIES.filter(([, pick]) => trendOf(settled(all, pick)).grows).map(([name]) => name);
  return growing.length === 0 ? 'does not grow' : `GROWS: ${growing.join(', ')}`;
}

function describe({ perHour, shareOfMean, sigmas, grows }: Trend): string {
  const slope = Math.abs(perHour) > 10_000 ? `${(perHour / 1_048_576).toFixed(2)} MB` : perHour.toFixed(2);
  return `${slope} an hour, ${percent(shareOfMean)} over the run, ${sigmas.toFixed(1)} standard errors${grows ? ' GROWS' : ''}`;
}

const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`;

await main();
