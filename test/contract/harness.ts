import { attachWallet, type IssuedKeys, issueKeys, type PlanCache, upsertMerchant } from '../../src/merchants/index.ts';
import type { TransactionView } from '../../src/payments/index.ts';
import { createTestClock } from '../support/clock.ts';
import type { TestDatabase } from '../support/database/test-database.ts';
import { createTestAccountKey } from '../support/nodes/wallet.ts';
import {
  type ApiRequest,
  type ApiResponse,
  startApp,
  type TestApp,
  type TestMerchant,
} from '../support/service/app.ts';
import { versionRow, withVersion } from '../wallets/support.ts';
import { ALL_ENDPOINTS, type EndpointName } from './tables/endpoints.ts';

/** One database with the service running in several conditions, and merchants for the requests. */
export interface ContractHarness {
  /** Healthy, with live rates of LTC and USD, and an operator who sells plans. */
  readonly app: TestApp;
  /** Without a single live rate. */
  readonly rateless: TestApp;
  /** Every key and address has one request a minute. */
  readonly strict: TestApp;
  /** Not ready to serve requests, and its database does not respond. */
  readonly starting: TestApp;
  /** A new merchant, on a plan that allows everything, or on the given one. */
  newMerchant(plan?: Plan): Promise<TestMerchant>;
  /** The same with a live LTC wallet. */
  newLiveMerchant(plan?: Plan): Promise<TestMerchant>;
  /** A live merchant whose stored wallet key is damaged, so that no address can be derived. */
  newMerchantWithDamagedWallet(): Promise<TestMerchant>;
  /** A new customer's address. */
  newAddress(): string;
  stop(): Promise<void>;
}

export type Plan = 'starter' | 'professional' | 'enterprise';

const OPERATOR = 'Operator of the contract test';
const ONE_A_MINUTE = { perMinute: 1, perHour: 1_000 };
const STRICT_PLANS: PlanCache = {
  anonymous: ONE_A_MINUTE,
  termsOf: async () => ({ requests: ONE_A_MINUTE, ipWhitelist: true }),
};

export async function startContractHarness(database: TestDatabase): Promise<ContractHarness> {
  const common = { connection: database, clock: createTestClock() };
  const live = { liveRates: { LTC: '100' }, operatorMerchant: OPERATOR };
  const apps = {
    app: await startApp({ ...common, ...live }),
    rateless: await startApp({ ...common, operatorMerchant: OPERATOR }),
    strict: await startApp({ ...common, ...live, plans: STRICT_PLANS }),
    starting: await startApp({
      ...common,
      connection: { ...database, isHealthy: async () => false },
      isReady: () => false,
    }),
  };
  await addOperator(database, apps.app);
  let addresses = 0;

  async function newMerchant(plan: Plan = 'enterprise'): Promise<TestMerchant> {
    const merchant = await apps.app.addMerchant();
    await database.db.updateTable('merchant').set({ plan }).where('id', '=', merchant.id).execute();
    return merchant;
  }

  return {
    ...apps,
    newMerchant,
    async newLiveMerchant(plan) {
      const merchant = await newMerchant(plan);
      await apps.app.addLiveWallet(merchant);
      return merchant;
    },
    async newMerchantWithDamagedWallet() {
      const merchant = await newMerchant();
      await damageWallet(database, merchant);
      return merchant;
    },
    newAddress() {
      addresses += 1;
      return `198.51.${addresses >> 8}.${addresses & 0xff}`;
    },
    async stop() {
      for (const app of Object.values(apps)) await app.stop();
    },
  };
}

/** A valid request of an endpoint, with the given parts replaced. */
export interface RequestParts {
  readonly key?: string | null;
  readonly id?: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly from?: string;
}

/** An id that no transaction has. */
const NO_TRANSACTION = `txn_${'0'.repeat(26)}`;

export function sendRequest<T = { readonly data: TransactionView }>(
  app: TestApp,
  name: EndpointName,
  { key = null, id = NO_TRANSACTION, query = '', from, ...parts }: RequestParts,
): Promise<ApiResponse<T>> {
  const { method, path, body } = ALL_ENDPOINTS[name];
  const request: ApiRequest = {
    method,
    path: `${path.replace(/\{\w+\}/, id)}${query === '' ? '' : `?${query}`}`,
    key,
    ...(body === undefined ? {} : { body }),
    ...(from === undefined ? {} : { remoteAddress: from }),
    ...parts,
  };
  return app.call<T>(request);
}

// Helpers

async function addOperator({ db }: TestDatabase, app: TestApp): Promise<void> {
  const operator = await db.transaction().execute(async (trx) => {
    const merchant = { name: OPERATOR, email: 'money@service.example', plan: 'enterprise', settings: {} };
    const { id } = await upsertMerchant(trx, merchant);
    const keys: IssuedKeys = await issueKeys(trx, id, 0);
    return { id, keys };
  });
  await app.addLiveWallet(operator);
}

let damaged = 0;

async function damageWallet({ db }: TestDatabase, { id: merchantId }: TestMerchant): Promise<void> {
  damaged += 1;
  const extendedPublicKey = withVersion(createTestAccountKey(`damaged ${damaged}`), versionRow('zpub').viewVersion);
  const spec = { crypto: 'LTC', extendedPublicKey } as const;
  await attachWallet(db, { merchantId, mode: 'live', spec, networkKind: 'mainnet' });
  const { derivation_key_id: id } = await db
    .selectFrom('wallet')
    .select('derivation_key_id')
    .where('merchant_id', '=', merchantId)
    .executeTakeFirstOrThrow();
  await db.updateTable('derivation_key').set({ extended_public_key: 'damaged' }).where('id', '=', id).execute();
}
