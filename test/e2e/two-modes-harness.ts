import { createCustomer } from '../../demo/customer.ts';
import { type ShopWebhook, WINDOW_MINUTES, webhooksAbout } from '../../demo/shop.ts';
import { waitFor } from '../../demo/wait.ts';
import type { World } from '../../demo/world.ts';
import { ASSETS, type Mode, PAYMENT_EVENTS } from '../../machines/index.ts';
import type { TransactionView } from '../../src/payments/index.ts';
import type { Anvil } from '../support/nodes/anvil.ts';
import { createTestAccountKey, createTestWallet } from '../support/nodes/wallet.ts';
import { startReceiver } from '../support/outside/receiver.ts';
import { createTestService, type RunningService } from '../support/service/service.ts';
import { createAnyBackend } from './backends.ts';
import { dueBaseUnits } from './chains/every-coin-harness.ts';

export type Coin = 'LTC' | 'ETH';

/** The nodes of all deployments. */
export interface Nodes {
  readonly world: World;
  readonly anvil: Anvil;
}

/**
 * A service that accepts one coin with live keys, another with test keys, each on its own chain.
 */
export interface TwoModes {
  readonly service: RunningService;
  ask<T = TransactionView>(
    mode: Mode,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: ResponseBody<T> }>;
  create(mode: Mode, crypto: Coin): Promise<TransactionView>;
  /** Sends the due amount, as a customer's wallet does. */
  pay(transaction: TransactionView): Promise<void>;
  mine(crypto: Coin, blocks: number): Promise<void>;
  comesTo(mode: Mode, id: string, status: string): Promise<TransactionView>;
  /** Waits for this many webhooks about a payment and returns them. */
  webhooksOf(id: string, count: number): Promise<readonly ShopWebhook[]>;
  close(): Promise<void>;
}

export interface ResponseBody<T> {
  readonly data: T;
  readonly error?: string;
  readonly message?: string;
}

const PRICE_USD = 25;

/** The merchant's key for a coin in a mode: every deployment and mode has separate accounts. */
export function keyOf(name: string, mode: Mode, crypto: Coin): string {
  const wallet = `${name} ${mode} ${crypto}`;
  return crypto === 'LTC' ? createTestWallet(wallet).extendedPublicKey : createTestAccountKey(wallet);
}

export async function startTwoModes(
  { world, anvil }: Nodes,
  { name, coins }: { readonly name: string; readonly coins: Readonly<Record<Mode, Coin>> },
): Promise<TwoModes> {
  const backend = await createAnyBackend();
  const receiver = await startReceiver();
  const urls: Readonly<Record<Coin, string>> = { LTC: world.node.rpcUrl, ETH: anvil.url };
  const service = await createTestService({
    clock: world,
    env: {
      ...backend.env,
      [`${coins.live}_NETWORK`]: 'regtest',
      [`${coins.live}_RPC_URL`]: urls[coins.live],
      TEST_MODE: 'onchain',
      [`TEST_${coins.test}_NETWORK`]: 'regtest',
      [`TEST_${coins.test}_RPC_URL`]: urls[coins.test],
      RATES_FIXED: JSON.stringify({ LTC: '80', ETH: '2500' }),
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    },
    provisioning: {
      merchants: [
        {
          name: 'Corner shop',
          email: 'owner@shop.example',
          plan: 'enterprise',
          settings: { window_minutes: WINDOW_MINUTES },
          wallets: (['live', 'test'] as const).map((mode) => ({
            mode,
            crypto: coins[mode],
            extended_public_key: keyOf(name, mode, coins[mode]),
          })),
          webhooks: [{ url: receiver.url, events: PAYMENT_EVENTS }],
        },
      ],
    },
  });
  await service.start();
  const [secrets] = await service.secrets();
  const keys = { live: secrets?.keys?.sk_live ?? '', test: secrets?.keys?.sk_test ?? '' };
  receiver.trust(secrets?.webhooks[0]?.secret ?? '');
  const customer = createCustomer(world);

  async function ask<T>(mode: Mode, path: string, body?: unknown) {
    const response = await fetch(`${service.url}/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${keys[mode]}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as ResponseBody<T> };
  }

  return {
    service,
    ask,
    async create(mode, crypto) {
      const { status, body } = await ask<TransactionView>(mode, '/transactions/create', { crypto, amount: PRICE_USD });
      if (status !== 201) throw new Error(`creating answered ${status}: ${JSON.stringify(body)}`);
      return body.data;
    },
    async pay(transaction) {
      const { crypto, deposit_address: address } = transaction;
      if (ASSETS[crypto].chain === 'ethereum') await anvil.send({ to: address, valueWei: dueBaseUnits(transaction) });
      else await customer.pay(address, dueBaseUnits(transaction));
    },
    mine: (crypto, blocks) => (crypto === 'ETH' ? anvil.mine(blocks) : customer.mine(blocks)),
    async comesTo(mode, id, status) {
      let last = '';
      const poll = async () => {
        const { data } = (await ask<TransactionView>(mode, `/transactions/${id}`)).body;
        last = data.status;
        return last === status ? data : null;
      };
      return waitFor(poll, () => `${id} did not come to ${status}; it is ${last}`);
    },
    async webhooksOf(id, count) {
      const poll = async () => {
        const arrived = webhooksAbout(receiver, id);
        return arrived.length >= count ? arrived.toSorted((one, other) => one.sequence - other.sequence) : null;
      };
      return waitFor(poll, () => `${webhooksAbout(receiver, id).length} of ${count} webhooks about ${id} arrived`);
    },
    async close() {
      await service.remove();
      await receiver.close();
      await backend.remove();
    },
  };
}
