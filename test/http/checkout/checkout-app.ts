import { readFileSync } from 'node:fs';
import { fastify } from 'fastify';
import type { CryptoSymbol, FiatCurrency, Mode } from '../../../machines/index.ts';
import { checkoutRoutes } from '../../../src/http/checkout/index.ts';
import {
  attachTestWallets,
  attachWallet,
  type Caller,
  createWalletFinder,
  DEFAULT_SETTINGS,
  upsertMerchant,
} from '../../../src/merchants/index.ts';
import {
  type CustomerViews,
  createChainOverview,
  createCustomerViews,
  createIdempotencyLookup,
  createPaymentNetworks,
  createTransaction,
  createTransactionKind,
} from '../../../src/payments/index.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { databaseUnavailable } from '../../../src/platform/db/index.ts';
import { createEngine, createKindRegistry, type Engine } from '../../../src/platform/engine/index.ts';
import { createFixedSource, createRates } from '../../../src/rates/index.ts';
import { createAddressSupply } from '../../../src/wallets/index.ts';
import { createEmbeddedDatabase } from '../../support/database/embedded-database.ts';
import { createPostgresDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { COMPONENTS } from '../../support/run/components.ts';
import { silentLog } from '../../support/silent-log.ts';

/** The checkout on a real database and engine, listening on its own port. */
export interface CheckoutApp {
  readonly url: string;
  readonly database: TestDatabase;
  readonly engine: Engine;
  readonly transactions: CustomerViews;
  /** Makes every database query fail as if the database were down. */
  breakDatabase(isBroken: boolean): void;
  create(options?: CreateOptions): Promise<string>;
  stop(): Promise<void>;
}

export interface CreateOptions {
  readonly mode?: Mode;
  readonly crypto?: CryptoSymbol;
  readonly amount?: number;
  readonly currencyFiat?: FiatCurrency;
  readonly successUrl?: string | null;
  readonly cancelUrl?: string | null;
  readonly customerEmail?: string | null;
}

/** The networks of the published vectors. */
const LIVE_NETWORKS = { litecoin: 'mainnet', ethereum: 'mainnet' } as const;

export const USDT_CONTRACT = '0xdAC17F958D2ee523a2206206994597C13D831ec7';

export const STORE_NAME = 'Bäckerei <Ähre> & Söhne';

export async function startCheckoutApp({ clock = systemClock }: { clock?: Clock } = {}): Promise<CheckoutApp> {
  const log = silentLog;
  const database = COMPONENTS.postgres.isThere() ? await createPostgresDatabase() : await createEmbeddedDatabase();
  const { db } = database;
  await attachTestWallets(db);
  const merchant = await db
    .transaction()
    .execute((trx) =>
      upsertMerchant(trx, { name: STORE_NAME, email: 'till@shop.test', plan: 'starter', settings: {} }),
    );
  for (const [crypto, extendedPublicKey] of [
    ['LTC', publishedKey('LTC', 'p2wpkh')],
    // A key for Ethereum has the version bytes of one for Bitcoin.
    ['USDT', publishedKey('BTC', 'p2pkh')],
  ] as const) {
    const spec = { crypto, extendedPublicKey };
    await attachWallet(db, { merchantId: merchant.id, mode: 'live', networkKind: 'mainnet', spec });
  }
  const publicUrl = 'http://checkout.test';
  const kinds = createKindRegistry([createTransactionKind({ publicUrl })]);
  const engine = createEngine({ db, kinds, clock, log });
  const rates = createRates({
    clock,
    log,
    sources: [createFixedSource({ kind: 'inline', rates: { LTC: '80.5', USDT: '0.999', EUR: '1.08' } })],
  });
  await rates.start();
  const addresses = createAddressSupply({ db, log });
  const networks = createPaymentNetworks({
    live: { kinds: LIVE_NETWORKS, contracts: { USDT: USDT_CONTRACT } },
    test: 'simulated',
  });
  const overview = createChainOverview({ db, clock, networks: [] });
  const findByIdempotencyKey = createIdempotencyLookup(db);
  const deps = { db, engine, clock, publicUrl, networks, overview, findByIdempotencyKey };
  let isBroken = false;
  const requested = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isBroken) throw databaseUnavailable(new Error('down for the test'));
    return work();
  };
  const real = createCustomerViews({ ...deps, sendsMails: true });
  const transactions: CustomerViews = {
    get: (id) => requested(() => real.get(id)),
    list: (ids) => requested(() => real.list(ids)),
    listVersions: (ids) => requested(() => real.listVersions(ids)),
    simulate: (id, request) => requested(() => real.simulate(id, request)),
    giveReceiptAddress: (id, email) => requested(() => real.giveReceiptAddress(id, email)),
  };
  // Clients open spare connections, and Node treats one without a request as busy.
  const app = fastify({ forceCloseConnections: true });
  await app.register(checkoutRoutes, { transactions, clock, log });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    database,
    engine,
    transactions,
    breakDatabase(value) {
      isBroken = value;
    },
    async create({ mode = 'test', crypto = 'LTC', amount = 25, currencyFiat = 'EUR', customerEmail, ...urls } = {}) {
      const caller: Caller = {
        merchantId: merchant.id,
        keyId: 'key_of_the_test',
        kind: 'secret',
        mode,
        plan: 'starter',
        settings: DEFAULT_SETTINGS,
      };
      const request = {
        crypto,
        amount,
        currencyFiat,
        metadata: { cart: 'metadata-never-shown' },
        customerEmail: customerEmail === undefined ? 'customer-never-shown@example.test' : customerEmail,
        successUrl: urls.successUrl ?? null,
        cancelUrl: urls.cancelUrl ?? null,
      };
      const created = await createTransaction(
        { ...deps, rates, wallets: createWalletFinder({ db }), addresses },
        caller,
        request,
        null,
      );
      return created.transaction.transaction_id;
    },
    async stop() {
      await app.close();
      rates.stop();
      await addresses.stop();
      await engine.drain();
      await database.drop();
    },
  };
}

// Helpers

function publishedKey(coin: string, scriptType: string): string {
  const file = new URL('../../vectors/hd-derivation.json', import.meta.url);
  const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as {
    vectors: { coin: string; scriptType: string; key: string }[];
  };
  const found = vectors.find((vector) => vector.coin === coin && vector.scriptType === scriptType);
  if (found === undefined) throw new Error(`test/vectors/hd-derivation.json has no ${scriptType} key of ${coin}`);
  return found.key;
}
