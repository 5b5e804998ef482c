import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { DemoSecrets } from '../../src/service/demo/demo.ts';

/** The demo shop of a separate service, with payments in several states. */
export interface Shop {
  readonly url: string;
  readonly owner: DemoSecrets['console']['owner'];
  /** The page of a payment that awaits its coins. */
  readonly paymentUrl: string;
  stop(): Promise<void>;
}

/** What customers bought, in euros, and how far each payment has come. */
const SALES = [
  {
    order: 'A-1001',
    product: 'Walnut side table',
    crypto: 'BTC',
    price: 129,
    customer: 'ann',
    actions: ['pay', 'confirm'],
  },
  {
    order: 'A-1002',
    product: 'Linen tea towels',
    crypto: 'LTC',
    price: 24.5,
    customer: 'ben',
    actions: ['pay', 'confirm'],
  },
  {
    order: 'A-1003',
    product: 'Desk lamp, brass',
    crypto: 'ETH',
    price: 310,
    customer: 'cleo',
    actions: ['pay', 'confirm'],
  },
  {
    order: 'A-1004',
    product: 'Beeswax candles',
    crypto: 'DOGE',
    price: 12.9,
    customer: 'dan',
    actions: ['let the window pass'],
  },
  { order: 'A-1005', product: 'Wool blanket', crypto: 'LTC', price: 59, customer: 'eva', actions: ['pay', 'confirm'] },
  { order: 'A-1006', product: 'Oak shelf', crypto: 'USDC', price: 480, customer: 'finn', actions: ['pay'] },
  { order: 'A-1007', product: 'Stoneware bowls', crypto: 'DASH', price: 34.9, customer: 'ann', actions: ['pay_late'] },
  { order: 'A-1008', product: 'Wall clock', crypto: 'BTC', price: 75, customer: 'gwen', actions: ['pay_partial'] },
  { order: 'A-1009', product: 'Coffee beans, 1 kg', crypto: 'LTC', price: 25.5, customer: 'hal', actions: [] },
] as const;

const HOUR_SECONDS = 3_600;

export async function startShop(): Promise<Shop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quittance-screenshots-'));
  const port = await freePort();
  const { PATH = '' } = process.env;
  const service = spawn(process.execPath, ['dist/quittance/main.js'], {
    env: { PATH, DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await started(service);
    const url = `http://127.0.0.1:${port}`;
    const secrets = JSON.parse(await readFile(join(dataDir, 'demo-keys.json'), 'utf8')) as DemoSecrets;
    let paymentUrl = '';
    for (const sale of SALES) paymentUrl = await sell(url, secrets.sk_test, sale);
    return { url, owner: secrets.console.owner, paymentUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

// Helpers

async function sell(url: string, key: string, sale: (typeof SALES)[number]): Promise<string> {
  const call = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/v1/transactions/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const parsed = (await response.json()) as { data: { transaction_id: string; payment_url: string } };
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${JSON.stringify(parsed)}`);
    return parsed.data;
  };
  const { order, crypto, product, price, customer, actions } = sale;
  const items = [{ name: product, quantity: 1, price }];
  const created = await call('create-detailed', {
    crypto,
    items,
    currency_fiat: 'EUR',
    order_id: order,
    customer_email: `${customer}@example.com`,
  });
  for (const action of actions) {
    const body = action === 'let the window pass' ? { action: 'advance_clock', seconds: HOUR_SECONDS } : { action };
    await call(`${created.transaction_id}/simulate`, body);
  }
  return created.payment_url;
}

async function started(service: ChildProcess): Promise<void> {
  if (service.stdout === null) throw new Error('the output of the service is not piped');
  const lines: string[] = [];
  for await (const line of createInterface({ input: service.stdout })) {
    lines.push(line);
    if (line.includes('to make a test payment')) {
      service.stdout.resume();
      return;
    }
  }
  throw new Error(`the service did not start:\n${lines.join('\n')}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
