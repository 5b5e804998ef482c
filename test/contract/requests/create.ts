import { DAY_MS } from '../../../machines/index.ts';
import type { TestMerchant } from '../../support/service/app.ts';
import { type ContractHarness, sendRequest } from '../harness.ts';
import { ALL_ENDPOINTS } from '../tables/endpoints.ts';
import { REPLAYED } from '../tables/headers.ts';
import { type Provocation, provocationsOf, twice, withTestKey } from './provocation.ts';

const create = provocationsOf('createTransaction');
const detailed = provocationsOf('createDetailedTransaction');
const BODY = ALL_ENDPOINTS.createTransaction.body;
const DETAILED_BODY = ALL_ENDPOINTS.createDetailedTransaction.body;

const OPTIONAL = {
  currency_fiat: 'EUR',
  metadata: { order: '1042', nested: { deep: [1, null, 'ß'] } },
  customer_email: 'jo@example.com',
  success_url: 'https://shop.example.com/thanks',
  cancel_url: 'http://shop.example.com/basket',
};

const wrong = (change: object) => withTestKey('createTransaction', { body: { ...BODY, ...change } });
const wrongDetail = (change: object) =>
  withTestKey('createDetailedTransaction', { body: { ...DETAILED_BODY, ...change } });

export const CREATE_REQUESTS: readonly Provocation[] = [
  create.responds(201, 'only what is required', withTestKey('createTransaction')),
  create.responds(201, 'everything there is', wrong(OPTIONAL)),
  create.responds(201, 'a live key with a wallet', async ({ app, newLiveMerchant }) =>
    sendRequest(app, 'createTransaction', { key: (await newLiveMerchant()).keys.sk_live }),
  ),
  {
    ...create.responds(201, 'a retry with the same idempotency key', async ({ app, newMerchant }) => {
      const { sk_test: key } = (await newMerchant()).keys;
      return twice(() =>
        sendRequest(app, 'createTransaction', { key, headers: { 'x-idempotency-key': 'order 1042' } }),
      );
    }),
    headers: REPLAYED,
  },
  create.fails(400, 'INVALID_REQUEST', 'no amount', wrong({ amount: undefined })),
  create.fails(400, 'INVALID_REQUEST', 'a field that is misspelt', wrong({ curency_fiat: 'EUR' })),
  create.fails(400, 'INVALID_REQUEST', 'no JSON', withTestKey('createTransaction', { body: '{' })),
  create.fails(400, 'INVALID_CRYPTO', 'a coin there is not', wrong({ crypto: 'XMR' })),
  create.fails(400, 'INVALID_AMOUNT', 'an amount as text', wrong({ amount: '25' })),
  create.fails(400, 'AMOUNT_TOO_LOW', 'less than 1.00 USD', wrong({ amount: 0.99 })),
  create.fails(400, 'INVALID_CURRENCY', 'a currency there is not', wrong({ currency_fiat: 'JPY' })),
  create.fails(400, 'INVALID_METADATA', 'metadata that is no object', wrong({ metadata: [] })),
  create.fails(400, 'WALLET_NOT_CONFIGURED', 'a live key without a wallet', async ({ app, newMerchant }) =>
    sendRequest(app, 'createTransaction', { key: (await newMerchant()).keys.sk_live }),
  ),
  create.fails(403, 'NO_ACTIVE_PLAN', 'a plan that ended a month ago', async (harness) => {
    const shop = await harness.newMerchant();
    await endPlan(harness, shop);
    return sendRequest(harness.app, 'createTransaction', { key: shop.keys.sk_test });
  }),
  create.fails(
    409,
    'ACTIVE_TRANSACTION_EXISTS',
    'a customer with an open payment',
    async ({ app, newMerchant, newAddress }) => {
      const { sk_test: key } = (await newMerchant()).keys;
      const headers = { 'x-customer-ip': newAddress() };
      return twice(() => sendRequest(app, 'createTransaction', { key, headers }));
    },
  ),
  create.fails(409, 'IDEMPOTENCY_CONFLICT', 'a key that was used for another amount', async ({ app, newMerchant }) => {
    const common = { key: (await newMerchant()).keys.sk_test, headers: { 'x-idempotency-key': 'order 1042' } };
    await sendRequest(app, 'createTransaction', common);
    return sendRequest(app, 'createTransaction', { ...common, body: { ...BODY, amount: 26 } });
  }),
  create.fails(429, 'MONTHLY_LIMIT_REACHED', 'a month that is used up', async (harness) => {
    const shop = await harness.newLiveMerchant('starter');
    await useUpMonth(harness, shop);
    return sendRequest(harness.app, 'createTransaction', { key: shop.keys.sk_live });
  }),
  create.fails(500, 'RATE_FETCH_FAILED', 'a live key without rates', async ({ rateless, newLiveMerchant }) =>
    sendRequest(rateless, 'createTransaction', { key: (await newLiveMerchant()).keys.sk_live }),
  ),
  create.fails(500, 'ADDRESS_GENERATION_FAILED', 'a wallet key that is damaged', async (harness) => {
    const { keys } = await harness.newMerchantWithDamagedWallet();
    return sendRequest(harness.app, 'createTransaction', { key: keys.sk_live });
  }),

  detailed.responds(201, 'only what is required', withTestKey('createDetailedTransaction')),
  detailed.responds(201, 'everything there is', wrongDetail(OPTIONAL)),
  detailed.fails(400, 'MISSING_ITEMS', 'no items', wrongDetail({ items: undefined })),
  detailed.fails(400, 'MISSING_ORDER_ID', 'no order id', wrongDetail({ order_id: undefined })),
  detailed.fails(
    400,
    'AMOUNT_TOO_LOW',
    'items worth too little',
    wrongDetail({ items: [{ name: 'Pin', price: 0.1 }] }),
  ),
  detailed.fails(403, 'PLAN_UPGRADE_REQUIRED', 'a plan without items', async ({ app, newMerchant }) =>
    sendRequest(app, 'createDetailedTransaction', { key: (await newMerchant('starter')).keys.sk_test }),
  ),
  detailed.fails(
    409,
    'ACTIVE_TRANSACTION_EXISTS',
    'a customer with an open payment',
    async ({ app, newMerchant, newAddress }) => {
      const { sk_test: key } = (await newMerchant()).keys;
      const headers = { 'x-customer-ip': newAddress() };
      return twice(() => sendRequest(app, 'createDetailedTransaction', { key, headers }));
    },
  ),
  detailed.fails(429, 'MONTHLY_LIMIT_REACHED', 'a month that is used up', async (harness) => {
    const shop = await harness.newLiveMerchant('professional');
    await useUpMonth(harness, shop);
    return sendRequest(harness.app, 'createDetailedTransaction', { key: shop.keys.sk_live });
  }),
  detailed.fails(500, 'RATE_FETCH_FAILED', 'a live key without rates', async ({ rateless, newLiveMerchant }) =>
    sendRequest(rateless, 'createDetailedTransaction', { key: (await newLiveMerchant()).keys.sk_live }),
  ),
];

/** Ends the plan of a merchant longer ago than its grace period. */
export async function endPlan({ app: { clock, connection } }: ContractHarness, { id }: TestMerchant): Promise<void> {
  const plan_expires_at = new Date(clock.now() - 30 * DAY_MS);
  await connection.db.updateTable('merchant').set({ plan_expires_at }).where('id', '=', id).execute();
}

/** Records more completed payments this month than any plan with a limit allows. */
export async function useUpMonth({ app: { clock, connection } }: ContractHarness, { id }: TestMerchant): Promise<void> {
  const month = new Date(clock.now()).toISOString().slice(0, 7);
  await connection.db.insertInto('monthly_usage').values({ merchant_id: id, month, used: 1_000_000 }).execute();
}
