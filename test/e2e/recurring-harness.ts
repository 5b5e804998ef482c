import { createCustomer } from '../../demo/customer.ts';
import { statusOf } from '../../demo/play.ts';
import { CONFIRMATIONS, dueLitoshi, type ReachedStatus } from '../../demo/scenarios.ts';
import { type ShopWebhook, webhooksAbout } from '../../demo/shop.ts';
import { waitFor } from '../../demo/wait.ts';
import { createWorld, type World } from '../../demo/world.ts';
import { SECOND_MS, type UnixMs } from '../../machines/index.ts';
import type { TransactionView } from '../../src/payments/index.ts';
import { loadConfig } from '../../src/platform/config/index.ts';
import { type Connection, connect } from '../../src/platform/db/index.ts';
import { createRuntime } from '../../src/service/runtime.ts';
import { openRecurringShop, type RecurringEvent, type RecurringShop } from '../recurring/shop.ts';
import { startLitecoind } from '../support/nodes/litecoind.ts';
import { createTestWallet, type TestWallet } from '../support/nodes/wallet.ts';
import type { ReceivedMail } from '../support/outside/smtp.ts';
import { silentLog } from '../support/silent-log.ts';
import { createServerBackend } from './backends.ts';

/**
 * A shop with live keys on a Litecoin node, a customer with coins and a mailbox, and a clock that
 * can be advanced by months.
 */
export interface RecurringHarness {
  readonly world: World;
  readonly shop: RecurringShop;
  readonly wallet: TestWallet;
  /** The service's database, for data that no interface shows. */
  readonly db: Connection['db'];
  advanceTo(moment: UnixMs): void;
  /** Waits for this many emails to an address; returns all of them, oldest first. */
  mailsTo(address: string, count: number): Promise<ReceivedMail[]>;
  /** Waits for this many events of a schedule; returns all of them in order of their sequence. */
  eventsOf(scheduleId: string, count: number): Promise<RecurringEvent[]>;
  /** Waits for this many webhooks of the payment itself; returns all of them by sequence. */
  webhooksOf(transactionId: string, count: number): Promise<ShopWebhook[]>;
  comesTo(transactionId: string, status: ReachedStatus): Promise<TransactionView>;
  /** Sends the due amount and mines enough confirmations. Returns the on-chain transaction's id. */
  pay(transactionId: string): Promise<string>;
  /** Advances the clock until the payment has expired. */
  letExpire(transactionId: string): Promise<void>;
  /** Coins at an address, as counted by the node. */
  coinsAt(address: string): Promise<number>;
  /** Delivers the merchant's event that accepts late coins as payment. Returns its outcome. */
  markPaid(transactionId: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * Starts node, mail server, webhook receiver, and the service on a separate database and stream.
 */
export async function startRecurringHarness(): Promise<RecurringHarness> {
  const node = await startLitecoind();
  const closers: (() => Promise<unknown>)[] = [() => node.stop()];
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    const world = createWorld(node);
    const backend = await createServerBackend();
    closers.push(() => backend.remove());
    const wallet = createTestWallet(`recurring ${process.pid}`);
    const shop = await openRecurringShop({
      clock: world,
      env: { ...backend.env, LTC_NETWORK: 'regtest', LTC_RPC_URL: node.rpcUrl },
      wallets: [{ crypto: 'LTC', extended_public_key: wallet.extendedPublicKey }],
    });
    closers.push(() => shop.close());
    const connection = await connect({ url: backend.env.DATABASE_URL ?? '', dataDir: null, poolSize: 2 });
    closers.push(() => connection.close());
    return { ...actionsOn({ world, shop, env: backend.env, db: connection.db }), wallet, close };
  } catch (error) {
    await close();
    throw error;
  }
}

// Helpers

interface Parts extends Pick<RecurringHarness, 'world' | 'shop' | 'db'> {
  readonly env: Readonly<Record<string, string>>;
}

function actionsOn({ world, shop, env, db }: Parts): Omit<RecurringHarness, 'wallet' | 'close'> {
  const customer = createCustomer(world);
  const get = (id: string) => shop.live.expect<TransactionView>(200, 'GET', `/transactions/${id}`);

  function comesTo(id: string, status: ReachedStatus): Promise<TransactionView> {
    let last = '';
    const ask = async () => {
      const transaction = await get(id);
      last = statusOf(transaction);
      return last === status ? transaction : null;
    };
    return waitFor(ask, () => `${id} never came to ${status}; it is ${last}`);
  }

  function advanceTo(moment: UnixMs): void {
    world.advance(Math.max(0, moment - world.now()));
  }

  return {
    world,
    shop,
    db,
    advanceTo,
    comesTo,
    mailsTo: (address, count) => atLeast(count, 'mails', () => shop.mailsTo(address)),
    eventsOf: (id, count) => atLeast(count, `events of ${id}`, () => shop.eventsOf(id)),
    webhooksOf: (id, count) =>
      atLeast(count, `webhooks of ${id}`, () => paymentEvents(webhooksAbout(shop.receiver, id))),
    async pay(id) {
      const transaction = await get(id);
      const txid = await customer.pay(transaction.deposit_address, dueLitoshi(transaction));
      await waitFor(
        async () => (await get(id)).payments.find((payment) => payment.txid === txid) ?? null,
        () => `the coins of ${txid} were not seen at ${id}`,
      );
      await customer.mine(CONFIRMATIONS);
      await waitFor(
        async () => (await get(id)).payments.find((each) => each.txid === txid && each.status === 'confirmed') ?? null,
        () => `the coins of ${txid} were not confirmed at ${id}`,
      );
      return txid;
    },
    async letExpire(id) {
      // Nodes report receive times in whole seconds, rounded down: coins within the last second
      // count as in time.
      advanceTo(Date.parse((await get(id)).expires_at) + 2 * SECOND_MS);
      await comesTo(id, 'expired');
    },
    async coinsAt(address) {
      const scan = await world.node.rpc<{ total_amount: number }>('scantxoutset', ['start', [`addr(${address})`]]);
      return scan.total_amount;
    },
    async markPaid(id) {
      const config = loadConfig({ ...env });
      const runtime = createRuntime({ config, db, clock: world, log: silentLog, publicUrl: '', tokens: () => '' });
      try {
        const event = { type: 'merchant.marked_paid', by: 'the owner' };
        const { outcome } = await runtime.engine.deliver({ actorId: id, eventId: `merchant:${id}`, event });
        return outcome;
      } finally {
        await runtime.engine.drain();
        await runtime.relay.stop();
        await runtime.bus.close();
      }
    },
  };
}

function atLeast<T>(count: number, what: string, read: () => T[]): Promise<T[]> {
  return waitFor(
    async () => {
      const all = read();
      return all.length >= count ? all : null;
    },
    () => `${count} ${what} were expected; there are ${read().length}`,
  );
}

/** Schedules send events about payments too. A webhook whose response was lost is repeated. */
function paymentEvents(webhooks: readonly ShopWebhook[]): ShopWebhook[] {
  const own = webhooks.filter(({ event }) => event.startsWith('payment.'));
  return [...new Map(own.map((each) => [each.id, each])).values()].sort((a, b) => a.sequence - b.sequence);
}
