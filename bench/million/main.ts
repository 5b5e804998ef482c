import { cpus, loadavg } from 'node:os';
import { Pool } from 'undici';
import { MAX_WINDOW_MINUTES } from '../../machines/index.ts';
import { startLitecoind } from '../../test/support/nodes/litecoind.ts';
import { COMPONENTS } from '../../test/support/run/components.ts';
import { print } from '../support/print.ts';
import { createDeployment, type Deployment } from '../support/processes/deployment.ts';
import type { RoleProcess } from '../support/processes/role.ts';
import { readSettings } from '../support/settings.ts';
import { compareCreates, create } from './creates.ts';
import { expireMany } from './expire.ts';
import { shrinkHeap } from './heap-limits.ts';
import { copyOpenPayment } from './open-payments.ts';
import { check, resident, seconds, show } from './report.ts';

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
const DUE_PER_HEAP_LIMIT = Math.min(20_000, Math.floor(PAYMENTS / 20));

const ROLES = ['api', 'worker', 'watcher'];
/** As the image and the systemd units start the service. */
const HEAP = { NODE_OPTIONS: '--max-old-space-size=128', MALLOC_ARENA_MAX: '2' };
const MAX_READY_MS = 5_000;

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
      const chain: Record<string, string> = node === null ? {} : { LTC_NETWORK: 'regtest', LTC_RPC_URL: node.rpcUrl };
      const deployment = await createDeployment(chain);
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
  await compareStarts(small, large);
  await compareCreates(
    [
      { name: 'no open payments', deployment: empty, processes: small },
      { name: show(PAYMENTS), deployment: full, processes: large },
    ],
    { rounds: ROUNDS, creates: CREATES },
  );
  await expireMany(full.database.db, large, DUE);
  await stopAll([...small, ...large]);

  const both = await full.start('api,worker', HEAP);
  print(`\napi and worker in one process: ready in ${seconds(both.readyMs)}, ${await resident(both)} resident`);
  await both.stop();
  await shrinkHeap(full, DUE_PER_HEAP_LIMIT);
}

async function compareStarts(small: readonly RoleProcess[], large: readonly RoleProcess[]): Promise<void> {
  print(`\n${show(PAYMENTS)} open payments; load average ${(loadavg()[0] ?? 0).toFixed(1)} on ${cpus().length} cores`);
  print('| process | ready, empty | ready, full | processor time, empty | full | resident, empty | full |');
  print('|---|---|---|---|---|---|---|');
  for (const [index, role] of ROLES.entries()) {
    const [one, other] = [small[index], large[index]];
    if (one === undefined || other === undefined) throw new Error('a process is missing');
    const cells = [
      ...[one, other].map(({ readyMs }) => seconds(readyMs)),
      ...[one, other].map(({ readyCpuMs }) => seconds(readyCpuMs)),
      await resident(one),
      await resident(other),
    ];
    print(`| ${role} | ${cells.join(' | ')} |`);
  }
  check('every process is ready', Math.max(...large.map(({ readyMs }) => readyMs)) < MAX_READY_MS, 'in under 5 s');
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

// Helpers

async function startAll(deployment: Deployment): Promise<RoleProcess[]> {
  const processes: RoleProcess[] = [];
  for (const role of ROLES) processes.push(await deployment.start(role, HEAP));
  return processes;
}

async function stopAll(processes: readonly RoleProcess[]): Promise<void> {
  await Promise.all(processes.map((each) => each.stop()));
}

await main();
