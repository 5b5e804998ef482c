import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../../../demo/customer.ts';
import { type Outcome, play, playedOut } from '../../../demo/play.ts';
import {
  CONFIRMATIONS,
  DOUBLE_SPENT,
  dueLitoshi,
  EXACT,
  LATE,
  type Scenario,
  type Stage,
  TWO_PARTS,
  windowPasses,
} from '../../../demo/scenarios.ts';
import { openShop, type Shop } from '../../../demo/shop.ts';
import { waitFor } from '../../../demo/wait.ts';
import { createWorld, type World } from '../../../demo/world.ts';
import { createWatchLoop } from '../../../src/chains/index.ts';
import { readChainStatus, type TransactionView } from '../../../src/payments/index.ts';
import { loadConfig } from '../../../src/platform/config/index.ts';
import { connect } from '../../../src/platform/db/index.ts';
import { createRuntime } from '../../../src/service/runtime.ts';
import { createChainWatcher } from '../../../src/service/watchers/create-chain-watcher.ts';
import { type Litecoind, startLitecoind } from '../../support/nodes/litecoind.ts';
import { createTestService, type RunningService } from '../../support/service/service.ts';
import { silentLog } from '../../support/silent-log.ts';
import { type Backend, createServerBackend, describeServers } from '../backends.ts';
import { expectWebhooks } from '../expectations.ts';
import { litecoinSettings, type ShopProcess, startShop, writeShopFile } from '../shop-process.ts';

const NETWORK = 'litecoin-regtest';
const COMPLETED = ['created', 'pending', 'completed'];
/** Between two polls of the rogue watcher the other must manage one, even on a slow machine. */
const ROGUE_POLL_MS = 2_000;
/**
 * Played with the rogue watcher after the paid scenarios. test/e2e/chains/litecoin.test.ts plays
 * all of them without a rogue watcher.
 */
const OTHERS = [DOUBLE_SPENT, LATE];
const FENCED = 'another process now watches';
const OPERATOR_TOKEN = 'the-token-of-the-operator-of-this-test';

let node: Litecoind | undefined;
let world: World;
let backend: Backend;
let shop: Shop | undefined;

// At the quick level, test/payments/watching/run-while-leader.test.ts covers the takeover, and
// test/payments/watching/new-observations.test.ts that what a replaced watcher sends is refused.
describeServers('two processes that could watch the same network', () => {
  beforeAll(async () => {
    node = await startLitecoind();
    world = createWorld(node);
  });
  afterAll(() => node?.stop());

  async function openStage() {
    backend = await createServerBackend();
    shop = await openShop({ world, env: { ...backend.env, OPERATOR_TOKEN } });
    return { world, shop, customer: createCustomer(world) };
  }
  afterEach(async () => {
    await shop?.close();
    shop = undefined;
    await backend?.remove();
  });

  test('leave windows open while neither watches: coins that arrived in time are not late after a takeover', async () => {
    const harness = await openStage();
    await holderIs((holder) => holder !== null);
    const [inTime, never] = [await harness.shop.create(), await harness.shop.create()];
    const canary = await createTestPayment(harness.shop);
    await harness.shop.service.stop();
    await holderIs((holder) => holder === null);
    // The lease of a process that hangs, which looks the same as that of a working one.
    await asking((db) =>
      sql`insert into chain_lease (network, holder, expires_at) values (${NETWORK}, 'ghost', now() + interval '1 day')`.execute(
        db,
      ),
    );
    const other = await openSecondService();
    try {
      await harness.customer.pay(inTime.deposit_address, dueLitoshi(inTime));
      await windowPasses(harness);
      // A simulated network is never unreachable: once the window of this test payment closes,
      // the others would have expired too.
      await stateComesTo(canary, 'expired');
      const states = () =>
        asking(async (db) => [await statesOf(db, inTime.transaction_id), await statesOf(db, never.transaction_id)]);
      const [before] = await states();
      expect(await states()).toEqual([before, before]);

      await asking((db) => sql`update chain_lease set expires_at = now() where holder = 'ghost'`.execute(db));
      await stateComesTo(inTime.transaction_id, 'awaiting');
      await stateComesTo(never.transaction_id, 'expired');
      await harness.customer.mine(CONFIRMATIONS);
      await stateComesTo(inTime.transaction_id, 'completed');
      await expectWebhooks(harness.shop, inTime.transaction_id, COMPLETED);
      await expectWebhooks(harness.shop, never.transaction_id, ['created', 'expired']);
    } finally {
      await other.remove();
    }
  });

  test('do no harm when both watch: every payment ends once, correctly', {
    timeout: 120_000,
  }, async () => {
    const harness = await openStage();
    const rogue = await startRogueWatcher();
    try {
      const paid = await playInTurn(harness, [EXACT, TWO_PARTS]);
      for (const { transaction } of paid) await expectNoWayBack(transaction.transaction_id);
      const others = await playInTurn(harness, OTHERS);
      for (const outcome of [...paid, ...others]) {
        expect((await playedOut(harness, outcome)).differences).toEqual([]);
      }
      const wasFenced = async () => linesOf(harness.shop.service, FENCED).length > 0 || null;
      await waitFor(wasFenced, () => 'the two watchers did not meet');
      const rogueWasFenced = async () => rogue.failures().some((failure) => failure.includes(FENCED)) || null;
      await waitFor(rogueWasFenced, () => 'the service never took the network back');
    } finally {
      await rogue.stop();
    }
  });
});

describeServers('two commands, of which the watching one is killed', () => {
  let folder = '';
  let processes: ShopProcess[] = [];

  beforeAll(async () => {
    node = await startLitecoind();
    world = createWorld(node);
    backend = await createServerBackend();
    folder = await mkdtemp(join(tmpdir(), 'quittance-standby-'));
    await writeShopFile(folder);
  });
  afterAll(async () => {
    await Promise.all(processes.map(({ command }) => command.kill()));
    processes = [];
    await node?.stop();
    await backend?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(): Promise<ShopProcess> {
    const env = { ...litecoinSettings(world.node.rpcUrl), OPERATOR_TOKEN, ...backend.env };
    const started = await startShop(folder, env);
    processes.push(started);
    return started;
  }

  test('the other takes over, and coins that arrived in between are found', { timeout: 120_000 }, async () => {
    const customer = createCustomer(world);
    const first = await start();
    const before = await chainOf(first.url, (chain) => chain.state === 'watching' && chain.holder !== null);
    const second = await start();
    const inMempool = await first.live.create();
    const inBlock = await second.live.create();

    await first.command.kill();
    await customer.pay(inBlock.deposit_address, dueLitoshi(inBlock));
    await customer.mine(1);
    await customer.pay(inMempool.deposit_address, dueLitoshi(inMempool));
    const after = await chainOf(second.url, (chain) => chain.holder !== null && chain.holder !== before.holder);
    expect(after.network).toBe(NETWORK);
    for (const { transaction_id: id } of [inBlock, inMempool]) await second.live.comesTo(id, 'awaiting_confirmation');
    await customer.mine(CONFIRMATIONS);
    for (const { transaction_id: id } of [inBlock, inMempool]) await second.live.comesTo(id, 'completed');
    const health = await fetch(`${second.url}/v1/health/details`, {
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
    expect(await health.json()).toMatchObject({ status: 'ok', chains: [{ blocks_behind: 0, last_error: null }] });
  });
});

// Helpers

/**
 * Sequentially: the blocks that confirm one payment would confirm the coins of another before the
 * watcher saw them in the mempool.
 */
async function playInTurn(harness: Stage, scenarios: readonly Scenario[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const scenario of scenarios) outcomes.push(await play(harness, scenario));
  return outcomes;
}

interface ChainReport {
  readonly network: string;
  readonly state: string;
  readonly holder: string | null;
}

function chainOf(url: string, isExpected: (chain: ChainReport) => boolean): Promise<ChainReport> {
  let last = '';
  const ask = async () => {
    const answer = await fetch(`${url}/v1/health/details`, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
    last = await answer.text();
    const { chains } = JSON.parse(last) as { chains: ChainReport[] };
    return chains.find(isExpected) ?? null;
  };
  return waitFor(ask, () => `the network is not as it should be: ${last}`);
}

/** On a simulated network, with the merchant's payment window. */
async function createTestPayment({ service, call: ask }: Shop): Promise<string> {
  const [secrets] = await service.secrets();
  const options = { key: secrets?.keys?.sk_test ?? '', body: { crypto: 'LTC', amount: 25 } };
  const { body } = await ask<{ data: TransactionView }>('POST', '/transactions/create', options);
  return body.data.transaction_id;
}

function openSecondService(): Promise<RunningService> {
  return startService({ LTC_NETWORK: 'regtest', LTC_RPC_URL: world.node.rpcUrl });
}

async function startService(env: Readonly<Record<string, string>>): Promise<RunningService> {
  const secretsKey = await readFile(join(shop?.service.dataDir ?? '', 'secrets.key'), 'utf8');
  const service = await createTestService({
    clock: world,
    env: {
      ...backend.env,
      ...env,
      SECRETS_KEY: secretsKey.trim(),
      PUBLIC_URL: 'https://pay.example',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    },
  });
  await service.start();
  return service;
}

/** A watcher without a lease, like a process that was suspended until its lease had expired. */
async function startRogueWatcher() {
  const config = loadConfig({ ...backend.env, LTC_NETWORK: 'regtest', LTC_RPC_URL: world.node.rpcUrl });
  const connection = await connect({ url: config.database.url, dataDir: null, poolSize: 4 });
  const deps = { db: connection.db, clock: world, log: silentLog, publicUrl: 'http://127.0.0.1' };
  const runtime = createRuntime({ config, ...deps, tokens: () => '' });
  const [nodeConfig] = config.nodes;
  if (nodeConfig === undefined) throw new Error('no node is configured');
  const { watcher, close } = createChainWatcher({ runtime, ...deps }, nodeConfig);
  const failures: string[] = [];
  const log = { info: () => {}, warn: () => {}, error: (fields: object) => void failures.push(JSON.stringify(fields)) };
  const loop = createWatchLoop({ watcher, log, pollMs: ROGUE_POLL_MS, maxBackoffMs: ROGUE_POLL_MS });
  loop.start();
  return {
    failures: () => failures,
    async stop() {
      await loop.stop();
      await close();
      await runtime.bus.close();
      await connection.close();
    },
  };
}

function linesOf({ logLines }: Pick<RunningService, 'logLines'>, text: string) {
  return logLines.filter((line) => JSON.stringify(line).includes(text));
}

async function asking<T>(work: (db: Awaited<ReturnType<typeof connect>>['db']) => Promise<T>): Promise<T> {
  const connection = await connect({ url: backend.env.DATABASE_URL ?? '', dataDir: null, poolSize: 1 });
  try {
    return await work(connection.db);
  } finally {
    await connection.close();
  }
}

function holderIs(isExpected: (holder: string | null) => boolean): Promise<string | null> {
  return asking((db) => {
    let last: string | null = null;
    const ask = async () => {
      const chain = (await readChainStatus(db, world)).find(({ network }) => network === NETWORK);
      last = chain?.holder ?? null;
      return isExpected(last) ? { last } : null;
    };
    return waitFor(ask, () => `the holder is ${last}`).then((found) => found.last);
  });
}

/** The states of a payment in journal order, with repetitions. */
async function statesOf(db: Awaited<ReturnType<typeof connect>>['db'], id: string): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`
    select state from journal_entry where actor_id = ${id} order by sequence`.execute(db);
  return rows.map(({ state }) => state).filter((state, index, all) => state !== all[index - 1]);
}

function stateComesTo(id: string, part: string): Promise<true> {
  return asking((db) => {
    let states: string[] = [];
    const poll = async () => {
      states = await statesOf(db, id);
      return (states.at(-1)?.includes(part) ?? false) || null;
    };
    return waitFor(poll, () => `${id} did not come to ${part}: ${states.join(', ')}`);
  });
}

/** A payment that is paid and confirmed enters every state at most once. */
async function expectNoWayBack(id: string): Promise<void> {
  const states = await asking((db) => statesOf(db, id));
  expect(new Set(states).size, states.join(', ')).toBe(states.length);
}
