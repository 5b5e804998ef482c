import { type CryptoSymbol, PAYMENT_EVENTS } from '../machines/index.ts';
import type { TransactionView } from '../src/payments/index.ts';
import { createTestWallet, type TestWallet } from '../test/support/nodes/wallet.ts';
import { type Receiver, startReceiver } from '../test/support/outside/receiver.ts';
import { createTestService, type RunningService, type ServiceSetup } from '../test/support/service/service.ts';
import type { World } from './world.ts';

/**
 * A merchant with its own service, live keys for LTC on the node's network, and a server that
 * receives webhooks.
 */
export interface Shop {
  readonly service: RunningService;
  readonly receiver: Receiver;
  readonly wallet: TestWallet;
  /** Creates a live payment of 25 USD, or as given in `body`, through the public API. */
  create(body?: Readonly<Record<string, unknown>>): Promise<TransactionView>;
  get(transactionId: string): Promise<TransactionView>;
  /** Any API request, with the live secret key unless another is given. */
  call<T>(method: string, path: string, options?: CallOptions): Promise<ApiResponse<T>>;
  /** Webhooks received about a transaction, in order of arrival, repeats included. */
  webhooksOf(transactionId: string): ShopWebhook[];
  close(): Promise<void>;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly key?: string;
}

export interface ApiResponse<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** A webhook as the merchant's server received it. */
export interface ShopWebhook {
  readonly id: string;
  readonly event: string;
  readonly sequence: number;
  readonly status: string;
  readonly exception: string | null;
  readonly attempt: number;
  /** Both signatures match the bytes, and headers and payload name the same event. */
  readonly isGenuine: boolean;
  readonly body: string;
}

export interface ShopOptions {
  readonly world: World;
  /** RPC URL for the service; the node itself when left out. */
  readonly rpcUrl?: string;
  /** Maps the receiver's URL to the one webhooks are sent to; direct when left out. */
  readonly reachReceiver?: (url: URL) => Promise<string>;
  /** Wallets in addition to the one for LTC. */
  readonly wallets?: readonly WalletEntry[];
  /** More settings, e.g. DATABASE_URL. */
  readonly env?: ServiceSetup['env'];
}

/** A wallet as in a provisioning file. */
export interface WalletEntry {
  readonly crypto: CryptoSymbol;
  readonly extended_public_key: string;
}

/** Minutes a customer has to pay: the shortest window a merchant can choose. */
export const WINDOW_MINUTES = 10;
export const LTC_USD = '80';
const PRICE_USD = 25;

/** Provisions a merchant and starts the service as the command does, with environment settings. */
export async function openShop({ world, rpcUrl, reachReceiver, wallets = [], env }: ShopOptions): Promise<Shop> {
  const receiver = await startReceiver();
  const wallet = createTestWallet(`shop ${process.pid} ${receiver.port}`);
  const webhookUrl = (await reachReceiver?.(new URL(receiver.url))) ?? receiver.url;
  const service = await createTestService({
    clock: world,
    env: {
      LTC_NETWORK: 'regtest',
      LTC_RPC_URL: rpcUrl ?? world.node.rpcUrl,
      RATES_FIXED: JSON.stringify({ LTC: LTC_USD }),
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      ...env,
    },
    provisioning: {
      merchants: [
        {
          name: 'Corner shop',
          email: 'owner@shop.example',
          plan: 'enterprise',
          settings: { window_minutes: WINDOW_MINUTES },
          wallets: [{ crypto: 'LTC', extended_public_key: wallet.extendedPublicKey }, ...wallets],
          webhooks: [{ url: webhookUrl, events: PAYMENT_EVENTS }],
        },
      ],
    },
  });
  const close = async () => {
    await service.remove();
    await receiver.close();
  };

  try {
    await service.start();
  } catch (error) {
    await close();
    throw error;
  }
  const [secrets] = await service.secrets();
  const [webhook] = secrets?.webhooks ?? [];
  if (secrets?.keys === undefined || webhook === undefined) throw new Error('Provisioning created no keys');
  const liveKey = secrets.keys.sk_live;
  receiver.trust(webhook.secret);

  async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<ApiResponse<T>> {
    const { body, key = liveKey } = options;
    const response = await fetch(`${service.url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  }

  async function callForTransaction(status: number, ...request: Parameters<typeof call>): Promise<TransactionView> {
    const answer = await call<{ readonly data: TransactionView }>(...request);
    if (answer.status === status) return answer.body.data;
    throw new Error(`${request[1]} returned ${answer.status}: ${JSON.stringify(answer.body)}`);
  }

  return {
    service,
    receiver,
    wallet,
    call,
    close,
    create: (body) =>
      callForTransaction(201, 'POST', '/transactions/create', { body: { crypto: 'LTC', amount: PRICE_USD, ...body } }),
    get: (transactionId) => callForTransaction(200, 'GET', `/transactions/${transactionId}`),
    webhooksOf: (transactionId) => webhooksAbout(receiver, transactionId),
  };
}

/**
 * Webhooks about a transaction that a receiver has received, in order of arrival, repeats included.
 */
export function webhooksAbout(receiver: Receiver, transactionId: string): ShopWebhook[] {
  return receiver.requests
    .map((request) => ({ request, payload: JSON.parse(request.body) as Payload }))
    .filter(({ payload }) => payload.transaction_id === transactionId)
    .map(({ request, payload }) => toShopWebhook(request, payload));
}

// Helpers

interface Payload {
  readonly id: string;
  readonly event: string;
  readonly sequence: number;
  readonly transaction_id: string;
  readonly status: string;
  readonly exception?: string;
}

function toShopWebhook(request: Receiver['requests'][number], payload: Payload): ShopWebhook {
  const { headers, body, isServiceSignatureValid, isStandardSignatureValid } = request;
  const { id, event, sequence, status, exception = null } = payload;
  const namesAgree = headers['x-service-event'] === event && headers['webhook-id'] === id;
  return {
    id,
    event,
    sequence,
    status,
    exception,
    attempt: Number(headers['x-service-attempt']),
    isGenuine: isServiceSignatureValid && isStandardSignatureValid && namesAgree,
    body,
  };
}
