import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { waitFor } from '../../demo/wait.ts';
import { type CryptoSymbol, PAYMENT_EVENTS } from '../../machines/index.ts';
import type { TransactionView } from '../../src/payments/index.ts';
import { createTestWallet } from '../support/nodes/wallet.ts';
import type { Receiver } from '../support/outside/receiver.ts';
import { createMerchantApi, type MerchantApi } from '../support/service/merchant-api.ts';
import { type CommandRun, runCommand, servedUrl } from './cli/command.ts';

type Env = Readonly<Record<string, string>>;

/** The merchant API with one key, and what most tests do with payments. */
export interface ShopClient extends MerchantApi {
  /** Creates a payment of 25 USD. */
  create(crypto?: CryptoSymbol): Promise<TransactionView>;
  /** Creates a payment with a test key and completes it by simulation. */
  completeTestPayment(): Promise<TransactionView>;
  get(id: string): Promise<TransactionView>;
  /** Polls until the payment has this status. */
  comesTo(id: string, status: string): Promise<void>;
}

/** The command in a separate process, provisioned with the one shop of `merchants.json`. */
export interface ShopProcess {
  readonly command: CommandRun;
  readonly url: string;
  readonly live: ShopClient;
  readonly test: ShopClient;
  /** Sends SIGTERM and expects exit code 0. */
  stop(): Promise<void>;
}

/** A Litecoin regtest node, a fixed rate, and webhooks to this machine. */
export function litecoinSettings(rpcUrl: string): Env {
  return {
    PORT: '0',
    LTC_NETWORK: 'regtest',
    LTC_RPC_URL: rpcUrl,
    RATES_FIXED: '{"LTC":"80"}',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  };
}

/** Writes `merchants.json` with one shop, by default with a Litecoin wallet and no webhooks. */
export async function writeShopFile(
  folder: string,
  {
    wallets = [{ crypto: 'LTC', extended_public_key: createTestWallet(folder).extendedPublicKey }],
    webhookUrl,
  }: { wallets?: readonly object[]; webhookUrl?: string } = {},
): Promise<void> {
  const webhooks = webhookUrl === undefined ? [] : [{ url: webhookUrl, events: PAYMENT_EVENTS }];
  const shop = { name: 'Corner shop', email: 'owner@shop.example', plan: 'enterprise', wallets, webhooks };
  await writeFile(join(folder, 'merchants.json'), JSON.stringify({ merchants: [shop] }));
}

/** Starts the command in the folder; the receiver then verifies with the shop's webhook secret. */
export async function startShop(folder: string, env: Env, receiver?: Receiver): Promise<ShopProcess> {
  const command = runCommand(['--provision', 'merchants.json', '--out', 'secrets.json'], { cwd: folder, env });
  try {
    const url = await servedUrl(command);
    const { keys, webhooks } = await readSecrets(folder);
    receiver?.trust(webhooks[0]?.secret ?? '');
    return {
      command,
      url,
      live: createShopClient(url, keys.sk_live, command.output),
      test: createShopClient(url, keys.sk_test, command.output),
      async stop() {
        command.signal('SIGTERM');
        expect(await command.end()).toMatchObject({ code: 0 });
      },
    };
  } catch (error) {
    await command.kill();
    throw error;
  }
}

/** `output` returns what the service has logged, for the message of a timeout. */
export function createShopClient(url: string, key: string, output: () => string = () => ''): ShopClient {
  const api = createMerchantApi(() => url, key);
  const create = (crypto: CryptoSymbol = 'LTC') =>
    api.expect<TransactionView>(201, 'POST', '/transactions/create', { crypto, amount: 25 });
  const get = (id: string) => api.expect<TransactionView>(200, 'GET', `/transactions/${id}`);
  return {
    ...api,
    create,
    async completeTestPayment() {
      const payment = await create();
      const path = `/transactions/${payment.transaction_id}/simulate`;
      for (const action of ['pay', 'confirm']) await api.expect(200, 'POST', path, { action });
      return payment;
    },
    get,
    async comesTo(id, status) {
      let last = '';
      const poll = async () => {
        last = (await get(id)).status;
        return last === status || null;
      };
      await waitFor(poll, () => `${id} never came to ${status}; it is ${last}: ${output()}`);
    },
  };
}

/** Keys and webhook secrets of the shop, written by the first start. */
export async function readSecrets(folder: string): Promise<ShopSecrets> {
  const text = await readFile(join(folder, 'secrets.json'), 'utf8');
  const [secrets] = (JSON.parse(text) as { readonly merchants: readonly ShopSecrets[] }).merchants;
  if (secrets === undefined) throw new Error('no keys were written');
  return secrets;
}

interface ShopSecrets {
  readonly keys: { readonly sk_live: string; readonly sk_test: string };
  readonly webhooks: readonly { readonly secret: string }[];
}
