import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../../demo/customer.ts';
import { CONFIRMATIONS, dueLitoshi } from '../../demo/scenarios.ts';
import { webhooksAbout } from '../../demo/shop.ts';
import { waitFor } from '../../demo/wait.ts';
import { createWorld, type World } from '../../demo/world.ts';
import { PAYMENT_EVENTS } from '../../machines/index.ts';
import type { TransactionView } from '../../src/payments/index.ts';
import { type Litecoind, startLitecoind } from '../support/nodes/litecoind.ts';
import { createTestWallet } from '../support/nodes/wallet.ts';
import { type Receiver, startReceiver } from '../support/outside/receiver.ts';
import { level } from '../support/run/level.ts';
import {
  type Backend,
  createEmbeddedBackend,
  createServerBackend,
  describeLitecoin,
  describeServers,
  endLeases,
} from './backends.ts';
import { type CommandRun, runCommand, servedUrl } from './command.ts';

interface Secrets {
  readonly merchants: readonly {
    readonly keys: { readonly sk_live: string };
    readonly webhooks: readonly { readonly secret: string }[];
  }[];
}

let node: Litecoind | undefined;
let world: World;

beforeAll(async () => {
  node = await startLitecoind();
  world = createWorld(node);
});
afterAll(() => node?.stop());

if (level.isFull) {
  describeLitecoin('the command, killed in the middle of a payment, with everything in one process', () => {
    killIn(createEmbeddedBackend);
  });
}
describeServers('the command, killed in the middle of a payment, with Postgres and NATS', () => {
  killIn(createServerBackend);
});

function killIn(createBackend: () => Promise<Backend>): void {
  let backend: Backend | undefined;
  let receiver: Receiver | undefined;
  let folder = '';
  let command: CommandRun | undefined;
  let url = '';
  let key = '';

  beforeAll(async () => {
    backend = await createBackend();
    receiver = await startReceiver();
    folder = await mkdtemp(join(tmpdir(), 'quittance-crash-'));
    await backend.prepare(folder);
    const merchant = {
      name: 'Corner shop',
      email: 'owner@shop.example',
      plan: 'enterprise',
      wallets: [{ crypto: 'LTC', extended_public_key: createTestWallet(folder).extendedPublicKey }],
      webhooks: [{ url: receiver.url, events: PAYMENT_EVENTS }],
    };
    await writeFile(join(folder, 'merchants.json'), JSON.stringify({ merchants: [merchant] }));
  });
  afterAll(async () => {
    await command?.kill();
    await receiver?.close();
    await backend?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    command = runCommand(['--provision', 'merchants.json', '--out', 'secrets.json'], {
      cwd: folder,
      env: {
        PORT: '0',
        LTC_NETWORK: 'regtest',
        LTC_RPC_URL: world.node.rpcUrl,
        RATES_FIXED: '{"LTC":"80"}',
        WEBHOOK_ALLOW_HTTP: 'true',
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
        ...backend?.env,
      },
    });
    url = await servedUrl(command);
    const { merchants } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')) as Secrets;
    key = merchants[0]?.keys.sk_live ?? '';
    receiver?.trust(merchants[0]?.webhooks[0]?.secret ?? '');
  }

  async function killAndStart(): Promise<void> {
    await command?.kill();
    // The full level waits until the lease has expired; at the quick level
    // test/payments/watching/chain-lease.test.ts and test/payments/watching/run-while-leader.test.ts cover this.
    if (!level.isFull) await endLeases(backend?.env.DATABASE_URL ?? '');
    await start();
  }

  async function ask(path: string, body?: unknown): Promise<TransactionView> {
    const response = await fetch(`${url}/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { readonly data: TransactionView };
    expect(response.ok, JSON.stringify(answer)).toBe(true);
    return answer.data;
  }

  async function comesTo(id: string, status: string): Promise<void> {
    let last = '';
    const poll = async () => {
      last = (await ask(`/transactions/${id}`)).status;
      return last === status || null;
    };
    await waitFor(poll, () => `never came to ${status}; it is ${last}`);
  }

  test('everything that was answered is kept, the payment completes, and every event is sent', {
    timeout: 120_000,
  }, async () => {
    const customer = createCustomer(world);
    // The quick level crashes once, after the payment was created and paid;
    // test/webhooks/kill.test.ts covers a crash while webhooks are being sent.
    await start();
    const { transaction_id: id, ...created } = await ask('/transactions/create', { crypto: 'LTC', amount: 25 });
    if (level.isFull) await killAndStart();
    expect((await ask(`/transactions/${id}`)).deposit_address).toBe(created.deposit_address);

    await customer.pay(created.deposit_address, dueLitoshi(created));
    await killAndStart();
    await comesTo(id, 'awaiting_confirmation');
    if (level.isFull) await killAndStart();
    await customer.mine(CONFIRMATIONS);
    await comesTo(id, 'completed');
    if (level.isFull) await killAndStart();

    const sent = () => webhooksAbout(receiver as Receiver, id);
    const ids = () => new Set(sent().map((webhook) => webhook.id));
    await waitFor(
      async () => ids().size >= 3 || null,
      () => `three events were expected; got ${sent().map((webhook) => webhook.event)}`,
    );
    const inOrder = sent().toSorted((one, other) => one.sequence - other.sequence);
    // A webhook may be repeated when the service died before it recorded the response; the bytes
    // must then be identical.
    expect([...new Set(inOrder.map(({ sequence, event }) => `${sequence} ${event}`))]).toEqual([
      '1 payment.created',
      '2 payment.pending',
      '3 payment.completed',
    ]);
    expect(new Set(inOrder.map((webhook) => webhook.body)).size).toBe(3);
    expect(inOrder.filter((webhook) => !webhook.isGenuine)).toEqual([]);
    const second = await ask('/transactions/create', { crypto: 'LTC', amount: 25 });
    expect(second.deposit_address).not.toBe(created.deposit_address);
  });
}
