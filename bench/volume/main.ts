import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { Pool } from 'undici';
import { createNatsBus, partitionOf } from '../../src/platform/bus/index.ts';
import { parseCidr } from '../../src/platform/config/index.ts';
import type { Database } from '../../src/platform/db/index.ts';
import {
  type ActorEvent,
  actorQueue,
  insertDeadLetters,
  publishObservations,
} from '../../src/platform/engine/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { createEndpoint } from '../../src/webhooks/index.ts';
import { startChild } from '../support/child.ts';
import { createConcurrencyLimit } from '../support/concurrency-limit.ts';
import { countDelivered } from '../support/count-delivered.ts';
import { print } from '../support/print.ts';
import { createDeployment, type Deployment, withDeployment } from '../support/processes/deployment.ts';
import { readSettings } from '../support/settings.ts';
import { countDuring, listen, sum } from './counted.ts';
import { describeRows, difference, readRows } from './rows.ts';
import { bytes, line, TABLE_HEAD } from './table.ts';

/**
 * What one payment writes: log bytes, rows and commits of Postgres, messages and bytes of NATS. In
 * two stages, each for all payments before the next begins: created over the API; then seen and
 * confirmed as the watcher reports it, completed, and its webhooks delivered to one endpoint. Once
 * with one payment at a time and once with many, because those share commits.
 *
 * The write-ahead log is counted for the whole server, so nothing else should use it
 * (`BENCH_POSTGRES_URL`). What it writes when idle is printed, for five seconds.
 */

const { BENCH_PAYMENTS: PAYMENTS } = readSettings(
  'What one payment writes: log bytes, rows and commits of Postgres, messages of NATS.',
  { BENCH_PAYMENTS: 2_000 },
);
const LONE_PAYMENTS = Math.min(200, PAYMENTS);
const CALLERS = 64;
const IDLE_MS = 5_000;
const POLL_MS = 100;
const DUE_BASE_UNITS = '31250000';

async function main(): Promise<void> {
  const key = randomBytes(32);
  const settings = {
    SECRETS_KEY: key.toString('hex'),
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    RATES_FIXED: '{"LTC":"80"}',
    LOG_LEVEL: 'info',
  };
  const receiver = await startChild(new URL('../support/webhook-receiver.js', import.meta.url), {});
  try {
    await withDeployment(await createDeployment(settings), async (deployment) => {
      await addEndpoint(deployment, key, `${receiver.url}/taking/plain`);
      await measure(deployment);
    });
  } finally {
    await receiver.stop();
  }
}

async function measure(deployment: Deployment): Promise<void> {
  const { database, nats, keys } = deployment;
  const { db } = database;
  const [api] = [await deployment.start('api'), await deployment.start('worker')];
  const pool = new Pool(api.url, { connections: CALLERS });
  const log = createLogger({ level: 'error' });
  const bus = createNatsBus({
    url: nats.url,
    prefix: nats.prefix,
    log,
    deadLetter: async ({ queue, id: messageId, data }, reason) =>
      insertDeadLetters(db, [{ queue, messageId, actorId: null, data, reason }]),
  });
  const traffic = await listen(nats);

  const pay = async (transactionId: string) => {
    const txid = randomBytes(32).toString('hex');
    const outputId = `${txid}:0`;
    const output = { outputId, txid, amountBaseUnits: DUE_BASE_UNITS, firstSeenAt: Date.now() };
    // As a watcher reports it.
    const deliver = (order: number, event: ActorEvent) =>
      publishObservations({ db, bus }, [
        {
          queue: actorQueue('transaction'),
          partition: partitionOf(transactionId),
          id: `${transactionId}:chain:${outputId}:${order}`,
          data: { actorId: transactionId, topic: outputId, eventId: `chain:${outputId}:${order}`, event },
        },
      ]);
    await deliver(1, { type: 'chain.output_seen', order: 1, ...output });
    await deliver(2, { type: 'chain.output_confirmed', order: 2, ...output, height: 101, blockHash: txid });
  };

  // Query plans are created and pages of the first rows allocated before counting starts.
  await run(db, CALLERS, 100, () => create(pool, keys.sk_test), pay);
  for (const [payments, callers] of [
    [LONE_PAYMENTS, 1],
    [PAYMENTS, CALLERS],
  ] as const) {
    await sql`checkpoint`.execute(db);
    const idle = await countDuring(db, traffic, () => sleep(IDLE_MS));
    const rowsBefore = await readRows(db);
    const ids: string[] = [];
    const created = await countDuring(db, traffic, async () => {
      await all(payments, callers, async () => void ids.push(await create(pool, keys.sk_test)));
      await settled(db, 0);
    });
    const done = await countDuring(db, traffic, async () => {
      const delivered = await countDelivered(db);
      await all(ids.length, callers, async (index) => {
        await pay(ids[index] ?? '');
        if (callers === 1) await settled(db, delivered + 2 * (index + 1));
      });
      await settled(db, delivered + 2 * ids.length);
    });
    const rows = difference(await readRows(db), rowsBefore);
    print(
      `\n${payments} payments, ${callers === 1 ? 'one at a time' : `${callers} at once`}; while idle the server wrote ${bytes((idle.walBytes * 1_000) / IDLE_MS)} of log a second`,
    );
    for (const head of TABLE_HEAD) print(head);
    for (const [name, counted] of [
      ['created', created],
      ['seen, confirmed, completed, 2 webhooks', done],
      ['together', sum(created, done)],
    ] as const)
      print(line(name, counted, payments));
    print(`rows per payment: ${describeRows(rows, payments)}`);
  }
  await bus.close();
  await pool.close();
  await traffic.stop();
}

// Helpers

async function run(
  db: Kysely<Database>,
  callers: number,
  payments: number,
  make: () => Promise<string>,
  pay: (transactionId: string) => Promise<void>,
): Promise<void> {
  const delivered = await countDelivered(db);
  await all(payments, callers, async () => pay(await make()));
  await settled(db, delivered + 2 * payments);
}

async function all(count: number, callers: number, work: (index: number) => Promise<void>): Promise<void> {
  const limit = createConcurrencyLimit(callers);
  await Promise.all(Array.from({ length: count }, (_, index) => limit.run(() => work(index))));
}

/** The outbox is empty and this many webhooks have arrived. */
async function settled(db: Kysely<Database>, delivered: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ left: number }>`select count(*) as left from outbox_message`.execute(db);
    if (rows[0]?.left === 0 && (await countDelivered(db)) >= delivered) return;
    await sleep(POLL_MS);
  }
}

async function addEndpoint({ database, merchantId }: Deployment, key: Uint8Array, url: string): Promise<void> {
  const loopback = [parseCidr('127.0.0.0/8')].filter((cidr) => cidr !== null);
  const terms = {
    secretBox: createSecretBox(key),
    urls: { allowCidrs: loopback, allowHttp: true, allowPorts: [] },
    plansEnabled: false,
  };
  await database.db
    .transaction()
    .execute((trx) => createEndpoint({ trx, who: 'bench', now: Date.now() }, terms, { merchantId, url, events: null }));
}

async function create(pool: Pool, key: string): Promise<string> {
  const { statusCode, body } = await pool.request({
    path: '/v1/transactions/create',
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ crypto: 'LTC', amount: 25 }),
  });
  const response = (await body.json()) as { data?: { transaction_id: string } };
  if (statusCode !== 201 || response.data === undefined) throw new Error(`create returned ${statusCode}`);
  return response.data.transaction_id;
}

await main();
