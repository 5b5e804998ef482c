import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Customer, createCustomer } from '../../demo/customer.ts';
import { CONFIRMATIONS, dueLitoshi } from '../../demo/scenarios.ts';
import { webhooksAbout } from '../../demo/shop.ts';
import { waitFor } from '../../demo/wait.ts';
import { createWorld, type World } from '../../demo/world.ts';
import { type Mode, PAYMENT_EVENTS } from '../../machines/index.ts';
import { createTransactionKind, type TransactionView } from '../../src/payments/index.ts';
import { connect } from '../../src/platform/db/index.ts';
import { createKindRegistry, replay } from '../../src/platform/engine/index.ts';
import { createDeliveryKind } from '../../src/webhooks/index.ts';
import { unpackEmbeddedTemplate } from '../support/database/embedded-template.ts';
import { dumpDatabase, restoreDatabase } from '../support/database/pg-tools.ts';
import { createEmptyDatabase, createPostgresDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { type Litecoind, startLitecoind } from '../support/nodes/litecoind.ts';
import { createTestWallet } from '../support/nodes/wallet.ts';
import { type Receiver, startReceiver } from '../support/outside/receiver.ts';
import { describeWith } from '../support/run/components.ts';
import { provideNats, type TestNats } from '../support/service/nats.ts';
import { describeLitecoin, endLeases } from './backends.ts';
import { runCommand, servedUrl } from './command.ts';
import { runToEnd } from './run-to-end.ts';

/** Enough for a busy machine and a real chain. */
const TIMEOUT_MS = 300_000;
/** Number of concurrent requests of the load. */
const LOAD_LANES = 3;
/** Maximum number of payments of one load, so that waiting for the chain is not delayed by them. */
const MAX_LOAD = 60;

interface Secrets {
  readonly merchants: readonly {
    readonly keys: { readonly sk_live: string; readonly sk_test: string };
    readonly webhooks: readonly { readonly secret: string }[];
  }[];
}

/**
 * The quick level covers what this relies on: test/wallets/allocation.test.ts that no address is
 * reused after a restore, test/webhooks/endpoints.test.ts that an event keeps its id,
 * test/payments/rewound-payments.test.ts that blocks may be read again, and
 * test/cli/large-databases.full.test.ts the command.
 */
const describeRestore = describeWith('postgres', 'litecoind', 'postgresPrograms');

let node: Litecoind | undefined;
let world: World;
let customer: Customer;
beforeAll(async () => {
  node = await startLitecoind();
  world = createWorld(node);
  customer = createCustomer(world);
}, TIMEOUT_MS);
afterAll(() => node?.stop());

/** One run of the service on a database: a process that can be killed. */
interface Life {
  create(mode?: Mode): Promise<TransactionView>;
  get(id: string): Promise<TransactionView | null>;
  simulate(id: string, action: string): Promise<void>;
  comesTo(id: string, status: string): Promise<void>;
  kill(): Promise<void>;
}

async function live(folder: string, env: Readonly<Record<string, string>>, receiver: Receiver): Promise<Life> {
  const command = runCommand(['--provision', 'merchants.json', '--out', 'secrets.json'], { cwd: folder, env });
  const url = await servedUrl(command);
  const { merchants } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')) as Secrets;
  const keys = { live: merchants[0]?.keys.sk_live ?? '', test: merchants[0]?.keys.sk_test ?? '' };
  receiver.trust(merchants[0]?.webhooks[0]?.secret ?? '');
  const modes = new Map<string, Mode>();

  async function ask(path: string, mode: Mode, body?: unknown): Promise<Response> {
    return fetch(`${url}/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${keys[mode]}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
  async function dataOf(response: Response): Promise<TransactionView> {
    const answer = (await response.json()) as { readonly data: TransactionView };
    expect(response.ok, JSON.stringify(answer)).toBe(true);
    return answer.data;
  }
  async function get(id: string): Promise<TransactionView | null> {
    const response = await ask(`/transactions/${id}`, modes.get(id) ?? 'live');
    return response.status === 404 ? null : dataOf(response);
  }

  return {
    async create(mode = 'live') {
      const made = await dataOf(await ask('/transactions/create', mode, { crypto: 'LTC', amount: 25 }));
      modes.set(made.transaction_id, mode);
      return made;
    },
    get,
    async simulate(id, action) {
      await dataOf(await ask(`/transactions/${id}/simulate`, 'test', { action }));
    },
    async comesTo(id, status) {
      let last: string | undefined;
      await waitFor(
        async () => {
          last = (await get(id))?.status;
          return last === status || null;
        },
        () => `never came to ${status}; it is ${last}`,
      );
    },
    kill: () => command.kill(),
  };
}

/** Creates payments without a pause and completes some of them until it is stopped. */
function load(life: Life): { stop(): Promise<readonly TransactionView[]> } {
  const made: TransactionView[] = [];
  let isOn = true;
  const lanes = Array.from({ length: LOAD_LANES }, async (_, lane) => {
    while (isOn && made.length < MAX_LOAD) {
      const payment = await life.create(lane === 0 ? 'test' : 'live');
      made.push(payment);
      if (lane !== 0) continue;
      await life.simulate(payment.transaction_id, 'pay');
      await life.simulate(payment.transaction_id, 'confirm');
    }
  });
  const settled = Promise.allSettled(lanes);
  return {
    async stop() {
      isOn = false;
      for (const lane of await settled) if (lane.status === 'rejected') throw lane.reason;
      return made;
    },
  };
}

function settings(more: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return {
    PORT: '0',
    LTC_NETWORK: 'regtest',
    LTC_RPC_URL: world.node.rpcUrl,
    RATES_FIXED: '{"LTC":"80"}',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    ...more,
  };
}

async function prepareShop(receiver: Receiver): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-restore-'));
  const merchant = {
    name: 'Corner shop',
    email: 'owner@shop.example',
    plan: 'enterprise',
    wallets: [{ crypto: 'LTC', extended_public_key: createTestWallet(folder).extendedPublicKey }],
    webhooks: [{ url: receiver.url, events: PAYMENT_EVENTS }],
  };
  await writeFile(join(folder, 'merchants.json'), JSON.stringify({ merchants: [merchant] }));
  return folder;
}

/** Follows docs/operators/backup.md before the first start. */
async function finishRestore(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { code, stdout, stderr } = await runToEnd(['restore', 'finish', '--json'], { cwd: folder, env });
  expect([code, stderr], stdout).toEqual([0, '']);
}

function addressesOf(payments: readonly TransactionView[]): ReadonlySet<string> {
  return new Set(payments.map(({ deposit_address: address }) => address));
}

async function pay(payment: TransactionView): Promise<void> {
  await customer.pay(payment.deposit_address, dueLitoshi(payment));
}

describeRestore('a database that was dumped under load and is restored elsewhere', () => {
  let receiver: Receiver;
  let folder = '';
  let first: TestDatabase;
  let second: Awaited<ReturnType<typeof createEmptyDatabase>>;
  const buses: TestNats[] = [];
  const lives: Life[] = [];
  beforeAll(async () => {
    receiver = await startReceiver();
    folder = await prepareShop(receiver);
    first = await createPostgresDatabase();
    second = await createEmptyDatabase();
  }, TIMEOUT_MS);
  afterAll(async () => {
    for (const life of lives) await life.kill();
    await receiver?.close();
    await first?.drop();
    await second?.drop();
    for (const bus of buses) await bus.cleanUp();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(url: string): Promise<{ life: Life; env: Readonly<Record<string, string>> }> {
    const bus = provideNats();
    buses.push(bus);
    const env = settings({ DATABASE_URL: url, NATS_URL: bus.url, NATS_PREFIX: bus.prefix });
    if (lives.length > 0) await finishRestore(folder, env);
    const life = await live(folder, env, receiver);
    lives.push(life);
    return { life, env };
  }

  test('continues from the chain: nothing is reused, and nothing gets a new id', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { life: lost } = await start(first.url ?? '');
    const [done, seen, later] = [await lost.create(), await lost.create(), await lost.create()];
    await pay(done);
    await customer.mine(CONFIRMATIONS);
    await lost.comesTo(done.transaction_id, 'completed');
    await pay(seen);
    await lost.comesTo(seen.transaction_id, 'awaiting_confirmation');

    const underLoad = load(lost);
    const dump = join(folder, 'quittance.dump');
    await dumpDatabase(first.url ?? '', dump);
    // All of this happens in the database that is about to be lost.
    const unknown = await lost.create();
    await pay(later);
    await pay(unknown);
    await customer.mine(CONFIRMATIONS);
    for (const { transaction_id: id } of [seen, later, unknown]) await lost.comesTo(id, 'completed');
    const beforeLoss = [done, seen, later, unknown, ...(await underLoad.stop())];
    await waitFor(
      async () => webhooksAbout(receiver, unknown.transaction_id).length >= 3 || null,
      () => 'no webhook about the last payment of the first life arrived',
    );
    await lost.kill();
    const receivedBefore = receiver.requests.length;

    await restoreDatabase(second.url, dump);
    const kept = await connect({ url: second.url, dataDir: null, poolSize: 2 });
    try {
      const backedUp = await kept.db.selectFrom('webhook_event').select(['id', 'body', 'transaction_id']).execute();
      await endLeases(second.url);
      const { life: restored } = await start(second.url);
      for (const { transaction_id: id } of [done, seen, later]) await restored.comesTo(id, 'completed');
      expect(await restored.get(unknown.transaction_id)).toBeNull();
      const again = load(restored);
      await waitFor(
        async () => {
          const [unassigned] = await kept.db
            .selectFrom('unassigned_payment')
            .select('output_id')
            .where('address', '=', unknown.deposit_address)
            .execute();
          const alerts = await kept.db.selectFrom('operator_alert').select(['alert', 'detail']).execute();
          const isAbout = ({ alert, detail }: (typeof alerts)[number]) =>
            alert === 'coins_at_unassigned_address' &&
            JSON.stringify(detail).includes(unassigned?.output_id ?? 'nothing');
          return alerts.some(isAbout) || null;
        },
        () => 'no alert names the coins of the payment that is gone',
      );
      const afterLoss = await again.stop();

      const [before, after] = [addressesOf(beforeLoss), addressesOf(afterLoss)];
      expect(before.size).toBe(beforeLoss.length);
      expect(after.size).toBe(afterLoss.length);
      expect([...after].filter((address) => before.has(address))).toEqual([]);

      // Messages in flight when the dump was made are sent again only after five minutes, which
      // this test does not wait for.
      const toldOfLater = () =>
        receiver.requests
          .slice(receivedBefore)
          .map(({ body }) => JSON.parse(body) as ReceivedEvent)
          .filter(({ transaction_id }) => transaction_id === later.transaction_id);
      await waitFor(
        async () => toldOfLater().some(({ event }) => event === 'payment.completed') || null,
        () => 'the restored service sent no final webhook of a payment',
      );
      const bodies = new Map(backedUp.map(({ id, body }) => [id, body]));
      const sent = receiver.requests.map(({ body }) => ({ body, ...(JSON.parse(body) as ReceivedEvent) }));
      for (const { id, body } of sent) if (bodies.has(id)) expect(body).toBe(bodies.get(id));
      // Both runs use the same id for the same event of a payment.
      for (const { transaction_id: id } of [done, seen, later]) {
        const about = sent.filter(({ transaction_id }) => transaction_id === id);
        const byName = new Map(about.map(({ event, id: eventId }) => [event, eventId]));
        expect([...byName.keys()].toSorted()).toEqual(['payment.completed', 'payment.created', 'payment.pending']);
        expect(new Set(about.map(({ id: eventId }) => eventId)).size).toBe(3);
      }
      expect(receiver.requests.every(({ isServiceSignatureValid }) => isServiceSignatureValid)).toBe(true);

      await restored.kill();
      await everythingFolds(kept.db);
    } finally {
      await kept.close();
    }
  });
});

describeLitecoin('an embedded database that was copied while the service was stopped', () => {
  let receiver: Receiver;
  let folder = '';
  let elsewhere = '';
  const lives: Life[] = [];
  beforeAll(async () => {
    receiver = await startReceiver();
    folder = await prepareShop(receiver);
    elsewhere = await mkdtemp(join(tmpdir(), 'quittance-elsewhere-'));
    await unpackEmbeddedTemplate(join(folder, 'data'));
  }, TIMEOUT_MS);
  afterAll(async () => {
    for (const life of lives) await life.kill();
    await receiver?.close();
    for (const each of [folder, elsewhere]) await rm(each, { recursive: true, force: true });
  });

  async function start(folder: string): Promise<Life> {
    const life = await live(folder, settings({}), receiver);
    lives.push(life);
    return life;
  }

  test('continues elsewhere, with the key it was sealed with', { timeout: TIMEOUT_MS }, async () => {
    const original = await start(folder);
    const known = await original.create();
    await original.kill();
    await cp(folder, elsewhere, { recursive: true, filter: (path) => !path.endsWith('.sock') });
    const goesOn = await start(folder);
    const gone = await goesOn.create();
    await goesOn.kill();

    await finishRestore(elsewhere, settings({}));
    const restored = await start(elsewhere);
    const fresh = await restored.create();
    expect(new Set([known, gone, fresh].map(({ deposit_address: address }) => address)).size).toBe(3);
    expect(await restored.get(gone.transaction_id)).toBeNull();
    await pay(known);
    await customer.mine(CONFIRMATIONS);
    await restored.comesTo(known.transaction_id, 'completed');
    await waitFor(
      async () => webhooksAbout(receiver, known.transaction_id).length >= 3 || null,
      () => 'no webhook about the payment arrived',
    );
    expect(receiver.requests.every(({ isServiceSignatureValid }) => isServiceSignatureValid)).toBe(true);
  });
});

// Helpers

interface ReceivedEvent {
  readonly id: string;
  readonly event: string;
  readonly transaction_id: string;
}

type Db = TestDatabase['db'];

/** Every actor's snapshot equals the fold of its journal. */
async function everythingFolds(db: Db): Promise<void> {
  const kinds = createKindRegistry([createTransactionKind({ publicUrl: 'https://pay.example' }), createDeliveryKind()]);
  const actors = await db.selectFrom('actor').select('id').where('kind', 'in', ['transaction', 'delivery']).execute();
  expect(actors.length).toBeGreaterThan(10);
  for (const { id } of actors) expect((await replay(db, kinds, id))?.equal, id).toBe(true);
}
