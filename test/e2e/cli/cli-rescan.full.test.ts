import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../../../demo/customer.ts';
import { CONFIRMATIONS, dueLitoshi } from '../../../demo/scenarios.ts';
import { webhooksAbout } from '../../../demo/shop.ts';
import { waitFor } from '../../../demo/wait.ts';
import { createWorld, type World } from '../../../demo/world.ts';
import { connect, type Database } from '../../../src/platform/db/index.ts';
import { type Litecoind, startLitecoind } from '../../support/nodes/litecoind.ts';
import { type Receiver, startReceiver } from '../../support/outside/receiver.ts';
import {
  type Backend,
  createEmbeddedBackend,
  createServerBackend,
  describeLitecoin,
  describeServers,
} from '../backends.ts';
import { type CommandResult, runToEnd } from '../run-to-end.ts';
import { litecoinSettings, type ShopProcess, startShop, writeShopFile } from '../shop-process.ts';

const NETWORK = 'litecoin-regtest';

interface Rescanned {
  readonly network: string;
  readonly from: number;
  readonly to: number;
  readonly outputs: number;
}

let node: Litecoind | undefined;
let world: World;

beforeAll(async () => {
  node = await startLitecoind();
  world = createWorld(node);
});
afterAll(() => node?.stop());

// At the quick level test/cli/rescan-in-parts.test.ts and audit.test.ts cover the command.
describeLitecoin('chain rescan, of a stopped service with the embedded database', () => {
  findMissedPayment(createEmbeddedBackend, { besideService: false });
});
describeServers('chain rescan, next to a service with Postgres and NATS', () => {
  findMissedPayment(createServerBackend, { besideService: true });
});

function findMissedPayment(
  createBackend: () => Promise<Backend>,
  { besideService }: { readonly besideService: boolean },
): void {
  let backend: Backend | undefined;
  let receiver: Receiver;
  let folder = '';
  let shop: ShopProcess | undefined;

  beforeAll(async () => {
    backend = await createBackend();
    receiver = await startReceiver();
    folder = await mkdtemp(join(tmpdir(), 'quittance-rescan-'));
    await backend.prepare(folder);
    await writeShopFile(folder, { webhookUrl: receiver.url });
  });
  afterAll(async () => {
    await shop?.command.kill();
    await receiver?.close();
    await backend?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  function settings(): Readonly<Record<string, string>> {
    return { ...litecoinSettings(world.node.rpcUrl), ...backend?.env };
  }

  function quittance(args: readonly string[]): Promise<CommandResult> {
    return runToEnd(args, { cwd: folder, env: settings() });
  }

  async function start(): Promise<ShopProcess> {
    shop = await startShop(folder, settings(), receiver);
    return shop;
  }

  /** Moves the watcher's cursor to the tip, as if messages had been lost. */
  async function skipToTip(): Promise<void> {
    const height = await world.node.rpc<number>('getblockcount');
    const hash = await world.node.rpc<string>('getblockhash', [height]);
    await withDatabase(async (db) => {
      await db.deleteFrom('chain_block').where('network', '=', NETWORK).execute();
      await db.updateTable('chain_cursor').set({ height, block_hash: hash }).where('network', '=', NETWORK).execute();
    });
  }

  async function withDatabase<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
    const databaseUrl = backend?.env.DATABASE_URL ?? null;
    const connection = await connect({ url: databaseUrl, dataDir: join(folder, 'data'), poolSize: 1 });
    try {
      return await work(connection.db);
    } finally {
      await connection.close();
    }
  }

  async function rescan(from: number): Promise<{ result: Rescanned; progress: string }> {
    const { code, stdout, stderr } = await quittance([
      'chain',
      'rescan',
      '--network',
      NETWORK,
      '--from',
      String(from),
      '--json',
    ]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^blocks \d+ to \d+: /)]);
    return { result: JSON.parse(stdout) as Rescanned, progress: stderr };
  }

  test('finds a payment the watcher missed, reports it once, and leaves the service intact', {
    timeout: 180_000,
  }, async () => {
    const customer = createCustomer(world);
    const watching = await start();
    const created = await watching.live.create();
    const { transaction_id: id } = created;
    await waitFor(
      async () => watching.command.output().includes('this process watches the network now') || null,
      () => `the service watches nothing: ${watching.command.output()}`,
    );
    await watching.stop();
    const from = (await world.node.rpc<number>('getblockcount')) + 1;
    await customer.pay(created.deposit_address, dueLitoshi(created));
    await customer.mine(CONFIRMATIONS);
    await skipToTip();

    const beside = besideService ? await start() : null;
    const tip = await world.node.rpc<number>('getblockcount');
    const first = await rescan(from);
    expect(first.result).toEqual({ network: NETWORK, from, to: tip, outputs: 1 });
    expect(first.progress).toBe(`blocks ${from} to ${tip}: 1 found\n`);
    expect((await rescan(from)).result).toEqual(first.result);
    const { live, stop } = beside ?? (await start());

    await live.comesTo(id, 'completed');
    const { payments } = await live.get(id);
    expect(payments).toHaveLength(1);
    const events = () =>
      webhooksAbout(receiver, id)
        .toSorted((one, other) => one.sequence - other.sequence)
        .map(({ event }) => event);
    await waitFor(
      async () => events().length >= 3 || null,
      () => `three webhooks were expected; got ${events()}`,
    );
    expect([...new Set(events())]).toEqual(['payment.created', 'payment.pending', 'payment.completed']);

    // The watcher that the rescan interrupted continues.
    const next = await live.create();
    await customer.pay(next.deposit_address, dueLitoshi(next));
    await live.comesTo(next.transaction_id, 'awaiting_confirmation');
    if (!besideService) {
      const { code, stderr } = await quittance(['chain', 'rescan', '--network', NETWORK, '--from', '0']);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^Another process uses the database in .* Stop it first/),
      ]);
    }
    await stop();
  });

  test('rejects blocks that the chain does not have, and unknown networks', async () => {
    const beyond = await quittance(['chain', 'rescan', '--network', NETWORK, '--from', '5', '--to', '999999']);
    expect(beyond).toMatchObject({ code: 1, stdout: '' });
    expect(beyond.stderr).toMatch(/^blocks 5 to 999999 do not exist: litecoin-regtest has blocks 0 to \d+\n$/);
    const elsewhere = await quittance(['chain', 'rescan', '--network', 'dash-mainnet', '--from', '5']);
    expect(elsewhere).toMatchObject({ code: 1, stdout: '' });
    expect(elsewhere.stderr).toContain('--network must be a configured network (litecoin-regtest)');
  });
}
