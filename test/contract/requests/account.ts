import { DAY_MS } from '../../../machines/index.ts';
import { sendRequest } from '../harness.ts';
import type { EndpointName } from '../tables/endpoints.ts';
import { type Provocation, provocationsOf, withTestKey } from './provocation.ts';

const PLAIN = ['getPrices', 'listCryptocurrencies', 'getAccount', 'listPlans', 'listBalances', 'getStats'] as const;
const checkout = provocationsOf('createBillingCheckout');
const invoices = provocationsOf('listInvoices');

/** Market data, account and billing. */
export const ACCOUNT_REQUESTS: readonly Provocation[] = [
  ...PLAIN.flatMap((name: EndpointName) => [
    provocationsOf(name).responds(200, 'a test key', withTestKey(name)),
    provocationsOf(name).responds(200, 'a live key of a busy shop', async ({ app, newLiveMerchant }) => {
      const { sk_live: key } = (await newLiveMerchant()).keys;
      await app.create(key);
      return sendRequest(app, name, { key });
    }),
  ]),
  provocationsOf('getPrices').fails(500, 'RATE_FETCH_FAILED', 'a live key without rates', async (harness) =>
    sendRequest(harness.rateless, 'getPrices', { key: (await harness.newMerchant()).keys.sk_live }),
  ),
  provocationsOf('listMerchantCryptocurrencies').responds(
    200,
    'a test key',
    withTestKey('listMerchantCryptocurrencies'),
  ),
  provocationsOf('listMerchantCryptocurrencies').responds(200, 'a live key with a wallet', async (harness) =>
    sendRequest(harness.app, 'listMerchantCryptocurrencies', { key: (await harness.newLiveMerchant()).keys.sk_live }),
  ),
  provocationsOf('getAccount').responds(200, 'a plan that was bought', async ({ app, newMerchant }) => {
    const { id, keys } = await newMerchant('professional');
    const plan_expires_at = new Date(app.clock.now() + 30 * DAY_MS);
    const bought = { plan_cycle: 'monthly', plan_expires_at } as const;
    await app.connection.db.updateTable('merchant').set(bought).where('id', '=', id).execute();
    return sendRequest(app, 'getAccount', { key: keys.sk_live });
  }),
  provocationsOf('getStats').responds(200, 'a payment that completed', async ({ app, newMerchant }) => {
    const { sk_test: key } = (await newMerchant()).keys;
    const { transaction_id: id } = await app.create(key, { currency_fiat: 'GBP' });
    await app.simulate(key, id, 'pay');
    await app.simulate(key, id, 'confirm');
    return sendRequest(app, 'getStats', { key, query: 'interval=month' });
  }),
  provocationsOf('getStats').fails(
    400,
    'INVALID_REQUEST',
    'a time that ends before it begins',
    withTestKey('getStats', { query: 'from=2026-11-21&to=2026-11-20' }),
  ),

  invoices.responds(200, 'nothing', withTestKey('listInvoices')),
  invoices.responds(200, 'a plan that is not paid yet', async ({ app, newMerchant }) => {
    const { sk_live: key } = (await newMerchant('starter')).keys;
    await sendRequest(app, 'createBillingCheckout', { key });
    return sendRequest(app, 'listInvoices', { key });
  }),
  invoices.fails(
    400,
    'INVALID_REQUEST',
    'a page that is too large',
    withTestKey('listInvoices', { query: 'limit=101' }),
  ),

  checkout.responds(201, 'a live key', async ({ app, newMerchant }) =>
    sendRequest(app, 'createBillingCheckout', { key: (await newMerchant('starter')).keys.sk_live }),
  ),
  checkout.responds(201, 'everything there is, with a test key', async ({ app, newMerchant }) => {
    const body = { tier: 'professional', billing_months: 12, payment_method: 'crypto' };
    return sendRequest(app, 'createBillingCheckout', { key: (await newMerchant('starter')).keys.sk_test, body });
  }),
  checkout.fails(400, 'INVALID_REQUEST', 'no tier', withTestKey('createBillingCheckout', { body: {} })),
  checkout.fails(403, 'FORBIDDEN', 'a lower plan than the one there is', withTestKey('createBillingCheckout')),
  checkout.fails(500, 'RATE_FETCH_FAILED', 'a live key without rates', async ({ rateless, newMerchant }) =>
    sendRequest(rateless, 'createBillingCheckout', { key: (await newMerchant('starter')).keys.sk_live }),
  ),
];
