import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { MerchantEvent } from '../../../machines/index.ts';
import { buildServer } from '../../../src/http/api/index.ts';
import { imageRoutes, linkRoutes, recurringRoutes } from '../../../src/http/checkout/index.ts';
import { createNotifyActor } from '../../../src/mail/index.ts';
import {
  attachTestWallets,
  attachWallet,
  createAuthenticator,
  createRateLimiter,
  createWalletFinder,
  type IssuedKeys,
  issueKeys,
  type MerchantSettings,
  type PlanCache,
  upsertMerchant,
} from '../../../src/merchants/index.ts';
import {
  type ConnectedNetworks,
  createChainOverview,
  createClientHash,
  createIdempotencyLookup,
  createPaymentNetworks,
  type TransactionView,
} from '../../../src/payments/index.ts';
import { type FixedRates, loadConfig, type MailConfig } from '../../../src/platform/config/index.ts';
import type { Connection } from '../../../src/platform/db/index.ts';
import type { Log } from '../../../src/platform/log.ts';
import { createSecretBox, type SecretBox } from '../../../src/platform/secrets/index.ts';
import { createFixedSource, createRates } from '../../../src/rates/index.ts';
import { createCustomerLinks, createCustomerRequests, createTokens } from '../../../src/recurring/index.ts';
import { createRuntime } from '../../../src/service/runtime.ts';
import { startWorkers } from '../../../src/service/workers.ts';
import { createAddressSupply } from '../../../src/wallets/index.ts';
import type { WebhookUrlPolicy } from '../../../src/webhooks/index.ts';
import { createTestClock, type TestClock } from '../clock.ts';
import { silentLog } from '../silent-log.ts';

/** The merchant API over a real database, in this process, with bus, engine, workers and timers. */
export interface TestApp {
  readonly clock: TestClock;
  readonly connection: Pick<Connection, 'db'>;
  /** Posts a form to a URL of the service, as a customer's browser does. */
  post(url: string, form?: Readonly<Record<string, string>>, headers?: VisitHeaders): Promise<PageResponse>;
  /** Opens a page of the service. */
  open(url: string, headers?: VisitHeaders): Promise<PageResponse>;
  /** Sends a JSON request with a secret key and parses the JSON response. */
  call<T = unknown>(request: ApiRequest): Promise<ApiResponse<T>>;
  /** Creates a test transaction, by default of 25 USD in LTC, and expects it to succeed. */
  create(key: string, body?: Readonly<Record<string, unknown>>): Promise<TransactionView>;
  simulate(key: string, id: string, action: string, more?: Readonly<Record<string, unknown>>): Promise<TransactionView>;
  /** Applies a merchant's decision to a transaction, as the dashboard does. */
  decide(transactionId: string, type: MerchantEvent['type']): Promise<void>;
  addMerchant(settings?: Partial<MerchantSettings>): Promise<TestMerchant>;
  /** Gives a merchant a live LTC wallet. */
  addLiveWallet(merchant: TestMerchant): Promise<void>;
  /** Listens on a free port and returns the address, for tests that need a socket. */
  listen(): Promise<string>;
  /** For events that only Node.js raises. */
  readonly httpServer: Server;
  stop(): Promise<void>;
}

export interface PageResponse {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
  /** Name and value of the first cookie it sets; null for none. */
  readonly cookie: string | null;
}

/** Headers of a browser: its cookie, the languages it prefers. */
export type VisitHeaders = Readonly<Record<string, string>>;

export interface TestMerchant {
  readonly id: string;
  readonly keys: IssuedKeys;
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS';
  readonly path: string;
  /** Sent as bearer token; null sends no key. */
  readonly key: string | null;
  /** Serialised as JSON; a string is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Client address; loopback by default. */
  readonly remoteAddress?: string;
}

export interface ApiResponse<T> {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly body: T;
}

export interface TestAppOptions {
  readonly connection: Connection;
  readonly clock?: TestClock;
  readonly log?: Log;
  /** Networks of test keys; the simulated ones by default. */
  readonly testNetworks?: ConnectedNetworks;
  /** Rates of live keys; none by default. Test keys use the samples. */
  readonly liveRates?: FixedRates;
  /** Whether merchants have plans; on by default. */
  readonly plansEnabled?: boolean;
  /** The merchant that receives payments for plans; none by default. */
  readonly operatorMerchant?: string;
  readonly isReady?: () => boolean;
  readonly busResponds?: () => boolean;
  /** Limits of the plans; by default more than any test needs. */
  readonly plans?: PlanCache;
  /** Proxies whose X-Forwarded-For is trusted; none by default. */
  readonly trustedProxies?: readonly string[];
  /** Allowed webhook targets besides public HTTPS addresses; none by default. */
  readonly webhooks?: WebhookUrlPolicy;
  /** Key from which the links in emails are derived. */
  readonly secretKey?: Uint8Array;
  /** Enables the bounce webhook; disabled by default. */
  readonly bounceSecret?: string;
  /** Open unpaid payments allowed per publishable key; by default more than any test opens. */
  readonly maxOpenPerKey?: number;
  /** How many of them one client network may have. */
  readonly maxOpenPerClient?: number;
  /** Emails per merchant and day to unconfirmed customers; by default more than any test sends. */
  readonly maxUnconfirmed?: number;
  /** Whether PUBLIC_URL counts as https; false by default, so that cookies have the plain name. */
  readonly isHttps?: boolean;
  /** How emails are sent; by default they are stored unsent. */
  readonly mail?: MailConfig;
  /** Encrypts the secrets of webhook endpoints. */
  readonly secretBox?: SecretBox;
  /** Token that gives access to the details of health; no access by default. */
  readonly operatorToken?: string;
}

export const PUBLIC_URL = 'https://pay.example.com';
export const TEST_VERSION = '0.0.0-test';
/** Live test keys accept LTC only, on the network of the published vectors. */
const LIVE_NETWORKS = { litecoin: 'mainnet' } as const;
export const LIVE_NETWORK = 'litecoin-mainnet';

const PLENTY = { perMinute: 1_000_000, perHour: 1_000_000 };
const GENEROUS_PLANS: PlanCache = {
  anonymous: PLENTY,
  termsOf: async () => ({ requests: PLENTY, ipWhitelist: true }),
};

let merchants = 0;

/** Starts everything on a migrated database. A second call with it is a restart of the service. */
export async function startApp(options: TestAppOptions): Promise<TestApp> {
  const { connection, clock = createTestClock(), log = silentLog, plansEnabled = true } = options;
  const {
    secretBox = createSecretBox(new Uint8Array(32)),
    webhooks = { allowCidrs: [], allowHttp: false, allowPorts: [] },
  } = options;
  const { db } = connection;
  await attachTestWallets(db);
  const { maxUnconfirmed: recurringMaxUnconfirmed = 1_000 } = options;
  const config = { nats: { url: null, prefix: '' }, plansEnabled, recurringMaxUnconfirmed };
  const tokens = createTokens(options.secretKey ?? new Uint8Array(32));
  const runtime = createRuntime({ config, db, clock, log, publicUrl: PUBLIC_URL, tokens });
  const sources =
    options.liveRates === undefined ? [] : [createFixedSource({ kind: 'inline', rates: options.liveRates })];
  const rates = createRates({ clock, log, sources });
  const addresses = createAddressSupply({ db, log });
  const networks = createPaymentNetworks({ live: { kinds: LIVE_NETWORKS }, test: options.testNetworks ?? 'simulated' });
  const overview = createChainOverview({ db, clock, networks: [LIVE_NETWORK] });
  const deps = {
    db,
    engine: runtime.engine,
    clock,
    rates,
    networks,
    wallets: createWalletFinder({ db }),
    addresses,
    findByIdempotencyKey: createIdempotencyLookup(db),
    overview,
    publicUrl: PUBLIC_URL,
    clientHash: createClientHash(new Uint8Array(32)),
    tokens,
  };
  const links = createCustomerLinks({ publicUrl: PUBLIC_URL, tokens });
  const server = await buildServer({
    ...deps,
    authenticator: createAuthenticator({ db, clock }),
    limiter: createRateLimiter({ db, clock }),
    plans: options.plans ?? GENEROUS_PLANS,
    plansEnabled,
    operatorMerchant: options.operatorMerchant ?? null,
    endpoints: { secretBox, urls: webhooks, plansEnabled },
    maxOpenPerKey: options.maxOpenPerKey ?? 1_000,
    maxOpenPerClient: options.maxOpenPerClient ?? 1_000,
    maxUnconfirmed: recurringMaxUnconfirmed,
    bounceSecret: options.bounceSecret ?? null,
    notifyActor: createNotifyActor(runtime),
    database: connection,
    bus: { isHealthy: async () => options.busResponds?.() ?? runtime.bus.isHealthy() },
    operatorToken: options.operatorToken ?? null,
    networkModes: new Map([[LIVE_NETWORK, 'live']]),
    isReady: options.isReady ?? (() => true),
    version: TEST_VERSION,
    log,
    trustedProxies: options.trustedProxies ?? [],
    isHttps: options.isHttps ?? false,
    plugins: [
      async (plugin) => {
        await plugin.register(recurringRoutes, { requests: createCustomerRequests({ ...deps, links }) });
      },
      async (plugin) => {
        const { maxOpenPerKey = 1_000, maxOpenPerClient = 1_000, isHttps = false } = options;
        await plugin.register(linkRoutes, { ...deps, maxOpenPerKey, maxOpenPerClient, isHttps });
        await plugin.register(imageRoutes, { db });
      },
    ],
  });
  await rates.start();
  runtime.relay.start();
  const { retention, archiveAfterDays } = loadConfig({});
  const workers = await startWorkers({
    runtime,
    db,
    clock,
    log,
    publicUrl: PUBLIC_URL,
    secretBox,
    mail: options.mail ?? null,
    webhooks,
    retention,
    archiveAfterDays,
    isEmbedded: false,
  });

  async function call<T>(request: ApiRequest): Promise<ApiResponse<T>> {
    const { method = 'GET', path, key, body, headers, remoteAddress } = request;
    const response = await server.inject({
      method,
      url: `/v1${path}`,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(remoteAddress === undefined ? {} : { remoteAddress }),
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const { statusCode: status, payload: text } = response;
    const isJson = text !== '' && String(response.headers['content-type']).startsWith('application/json');
    return { status, headers: response.headers, text, body: (isJson ? JSON.parse(text) : undefined) as T };
  }

  async function expectTransaction(request: ApiRequest, status: number): Promise<TransactionView> {
    const response = await call<{ data: TransactionView }>({ method: 'POST', ...request });
    if (response.status !== status) throw new Error(`${request.path} answered ${response.status}: ${response.text}`);
    return response.body.data;
  }

  async function visit(
    method: 'GET' | 'POST',
    url: string,
    headers: VisitHeaders,
    form?: Readonly<Record<string, string>>,
  ): Promise<PageResponse> {
    const { pathname, search } = new URL(url, PUBLIC_URL);
    const response = await server.inject({
      method,
      url: `${pathname}${search}`,
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded', ...headers },
      ...(form === undefined ? {} : { payload: new URLSearchParams(form).toString() }),
    });
    const cookie = String(response.headers['set-cookie'] ?? '').split(';')[0] || null;
    return { status: response.statusCode, location: response.headers.location, text: response.payload, cookie };
  }

  return {
    clock,
    connection,
    call,
    post: (url, form = {}, headers = {}) => visit('POST', url, headers, form),
    open: (url, headers = {}) => visit('GET', url, headers),
    create: (key, body) =>
      expectTransaction({ path: '/transactions/create', key, body: { crypto: 'LTC', amount: 25, ...body } }, 201),
    simulate: (key, id, action, more) =>
      expectTransaction({ path: `/transactions/${id}/simulate`, key, body: { action, ...more } }, 200),
    async decide(transactionId, type) {
      const eventId = `decision:${randomUUID()}`;
      const { outcome } = await runtime.engine.deliver({
        actorId: transactionId,
        eventId,
        event: { type, by: 'usr_test' },
      });
      if (outcome !== 'applied') throw new Error(`${type} was ${outcome}`);
    },
    async addMerchant(settings = {}) {
      merchants += 1;
      const merchant = { name: `Shop ${merchants}`, email: 'shop@example.com', plan: 'starter', settings };
      return db.transaction().execute(async (trx) => {
        const { id } = await upsertMerchant(trx, merchant);
        return { id, keys: await issueKeys(trx, id, clock.now()) };
      });
    },
    async addLiveWallet({ id: merchantId }) {
      const spec = { crypto: 'LTC', extendedPublicKey: publishedLitecoinKey() } as const;
      await attachWallet(db, { merchantId, mode: 'live', spec, networkKind: LIVE_NETWORKS.litecoin });
    },
    listen: () => server.listen({ host: '127.0.0.1', port: 0 }),
    httpServer: server.server,
    async stop() {
      await server.close();
      await workers.stop();
      rates.stop();
      await addresses.stop();
      await runtime.engine.drain();
      const relayed = runtime.relay.stop();
      await runtime.bus.close();
      await relayed;
    },
  };
}

// Helpers

interface Vector {
  readonly coin: string;
  readonly scriptType: string;
  readonly key: string;
}

function publishedLitecoinKey(): string {
  const file = new URL('../../vectors/hd-derivation.json', import.meta.url);
  const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] };
  const found = vectors.find(({ coin, scriptType }) => coin === 'LTC' && scriptType === 'p2wpkh');
  if (found === undefined) throw new Error('test/vectors/hd-derivation.json has no native segwit key of Litecoin');
  return found.key;
}
